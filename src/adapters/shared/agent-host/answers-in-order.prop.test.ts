// A person is asked one thing after the other while answers are under way: in whatever order the host,
// the spool, the run and the inbox take their steps, no question gets an answer that was not for it.
import fc from "fast-check";
import { expect, test } from "vitest";
import { stepped, testRun } from "../../../../test/support/run.ts";
import type { RunEvent } from "../../../core/run/run-event.ts";
import { messageFile } from "../../../core/run/message.ts";
import type { Run } from "../../../core/run/run.ts";
import { Asked } from "./asked.ts";
import type { Driver, DriverEvent } from "./driver.ts";
import { report } from "./reports.ts";

const CHOICES = ["Yes", "No"];
const STEPS = {
  ask: 3,
  "answer at the pane": 1,
  "ask for help": 1,
  "read the spool": 6,
  person: 3,
  inbox: 3,
};

class World {
  #run: Run = testRun();
  #at = 0;
  #asks = 0;
  /** The question that is open at the agent. */
  #open: string | undefined;
  #spool: string[] = [];
  /** Messages that the host has taken as an answer. */
  readonly #taken = new Set<string>();
  /** What the person read when answering. */
  readonly answeredByPerson = new Set<string>();
  readonly answeredByMessage: string[] = [];
  readonly #asked = new Asked({
    driver: {
      answer: async (id: string) => {
        this.answeredByMessage.push(id);
        this.#open = undefined;
      },
    } as unknown as Driver,
    spool: async (fact) => void this.#spool.push(JSON.stringify({ v: 1, ...fact })),
    onAnswered: () => undefined,
  });

  async take(step: string): Promise<void> {
    this.#at += 1;
    if (step === "ask" && this.#open === undefined) await this.#ask();
    if (step === "answer at the pane" && this.#open !== undefined) {
      await this.#tell({ kind: "answered", id: this.#open });
      this.#open = undefined;
    }
    if (step === "ask for help") {
      this.#spool.push(JSON.stringify({ v: 1, kind: "help", text: `Help ${this.#at}?` }));
    }
    if (step === "read the spool") this.#read();
    if (step === "person") this.#person();
    if (step === "inbox") await this.#inbox();
  }

  async #ask(): Promise<void> {
    this.#asks += 1;
    const id = `ask-${this.#asks}`;
    this.#open = id;
    await this.#tell({ kind: "question", id, text: `May I do ${id}?`, choices: CHOICES });
  }

  async #tell(event: DriverEvent): Promise<void> {
    this.#asked.hear(event);
    await report(event, async (fact) => void this.#spool.push(JSON.stringify({ v: 1, ...fact })));
  }

  #read(): void {
    const [text] = this.#spool.splice(0, 1);
    if (text === undefined) return;
    this.#step({ kind: "spool-received", at: this.#at, epoch: 1, name: `${this.#at}.json`, text });
  }

  #person(): void {
    const { stage } = this.#run;
    if (stage.kind !== "escalated") return;
    const { question, since } = stage.escalation;
    if (question !== undefined) this.answeredByPerson.add(question.id);
    this.#step({ kind: "escalation-answered", at: this.#at, by: "ann", text: "Yes", since });
  }

  async #inbox(): Promise<void> {
    for (const message of this.#run.messages) {
      if (this.#taken.has(message.id)) continue;
      const answered = this.#asked.answerBy(messageFile(message));
      if (answered === undefined) continue;
      this.#taken.add(message.id);
      await answered;
    }
  }

  #step(event: RunEvent): void {
    this.#run = stepped(this.#run, event).run;
  }
}

test("no question is answered by what a person said to another one", async () => {
  let answers = 0;
  const weighted = Object.entries(STEPS).map(([step, weight]) => {
    return { arbitrary: fc.constant(step), weight };
  });
  const steps = fc.array(fc.oneof(...weighted), { maxLength: 100, size: "max" });
  await fc.assert(
    fc.asyncProperty(steps, async (taken) => {
      const world = new World();
      for (const step of taken) await world.take(step);
      const { answeredByMessage, answeredByPerson } = world;
      answers += answeredByMessage.length;
      expect(answeredByMessage.filter((id) => !answeredByPerson.has(id))).toEqual([]);
    }),
    { numRuns: 150 },
  );
  // It would prove nothing if no answer ever arrived.
  expect(answers).toBeGreaterThan(50);
});
