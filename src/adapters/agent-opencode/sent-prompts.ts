// The prompts that opencode was sent: which of them stand in the session, and whether the last one has
// an answer. opencode tells that a turn is over a moment before it is: a prompt of that moment is
// stored, joins a turn that looks at nothing any more, and is never answered. Said again with its own
// ids it is the same message, and begins a turn.
import type { Message, Part } from "./events.ts";

const AGAIN_MAX = 3;

export type Stored = {
  messageID: string;
  partID: string;
  text: string;
  answered: boolean;
  /** How often it was said again. */
  again: number;
};

export class SentPrompts {
  readonly #waiting: { text: string; stored: () => void }[] = [];
  #last: Stored | undefined;

  /** Resolves when it stands in the session. */
  begin(text: string): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push({ text, stored: resolve });
    return promise;
  }

  /** It was refused. */
  drop(text: string): void {
    this.#take(text);
  }

  hearPart({ id, messageID, type, text }: Part): void {
    const waiting = type === "text" && text !== undefined ? this.#take(text) : undefined;
    if (waiting === undefined) return;
    const { text: own, stored } = waiting;
    this.#last = { messageID, partID: id, text: own, answered: false, again: 0 };
    stored();
  }

  hearMessage({ role, parentID }: Message): void {
    const last = this.#last;
    if (last === undefined || role !== "assistant") return;
    if (last.messageID === parentID) last.answered = true;
  }

  /** Undefined where it has an answer, or gets none however often it is said. */
  takeUnanswered(): Stored | undefined {
    const last = this.#last;
    if (last === undefined || last.answered || last.again >= AGAIN_MAX) return undefined;
    last.again += 1;
    return last;
  }

  #take(text: string): { text: string; stored: () => void } | undefined {
    const index = this.#waiting.findIndex((one) => one.text === text);
    return index < 0 ? undefined : this.#waiting.splice(index, 1)[0];
  }
}
