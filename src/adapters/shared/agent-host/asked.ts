// The question that the agent asks a person, while it waits for the answer: it comes as a message, or
// is typed at the pane.
import { answerIndex } from "../../../core/session/answer-key.ts";
import type { Driver, DriverEvent } from "./driver.ts";
import { choicesShown } from "./reports.ts";
import type { SpoolWriter } from "./spool-writer.ts";

type AskedDeps = {
  driver: Driver;
  spool: SpoolWriter;
  /** Before the agent hears the answer. */
  onAnswered: (id: string) => void;
};

export class Asked {
  readonly #deps: AskedDeps;
  #question: { id: string; choices: string[] } | undefined;

  constructor(deps: AskedDeps) {
    this.#deps = deps;
  }

  get isOpen(): boolean {
    return this.#question !== undefined;
  }

  hear(event: DriverEvent): void {
    if (event.kind === "question") this.#question = event;
    if (event.kind === "answered" && this.#question?.id === event.id) this.#question = undefined;
  }

  /** Undefined where this message is no answer to the question that is open. */
  answerBy(message: string): Promise<void> | undefined {
    const question = this.#question;
    if (question === undefined) return undefined;
    const choices = choicesShown(question.choices);
    const choice = answerIndex(message, { id: question.id, choices });
    if (choice === undefined) return undefined;
    this.#question = undefined;
    this.#deps.onAnswered(question.id);
    return this.#answer(question.id, choice);
  }

  async #answer(id: string, choice: number): Promise<void> {
    await this.#deps.driver.answer(id, choice);
    await this.#deps.spool({ kind: "answered", id });
  }
}
