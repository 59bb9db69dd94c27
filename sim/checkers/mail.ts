// Letters: one that was taken stays until it is acknowledged, is with a run only while that run can
// show it, and reaches its end: acknowledged, read, or dead and shown to the operator.
import type { Run } from "../../src/core/run/run.ts";
import type { Mailbox } from "../../src/core/mail/mailbox.ts";
import type { Fact } from "../fact.ts";
import { hasOutcome } from "../seen.ts";
import type { World } from "../world.ts";
import type { Checker } from "./checker.ts";

export const mail = (world: World): Checker => new Letters(world);

class Letters implements Checker {
  readonly name = "mail";
  readonly #world: World;
  readonly #boxes = new Map<string, Mailbox>();
  readonly #runs = new Map<string, Run>();

  constructor(world: World) {
    this.#world = world;
  }

  hear(fact: Fact): void {
    if (fact.kind !== "journaled") return;
    let isNews = false;
    for (const { id, state } of fact.journaled.states) {
      if (state.kind === "run") isNews = this.#changed(state) || isNews;
      if (state.kind !== "mail") continue;
      isNews = true;
      this.#kept(state);
      this.#boxes.set(id, state);
    }
    if (isNews) for (const box of this.#boxes.values()) this.#held(box);
  }

  /** Whether it may have got or lost a letter: most of what is written about a run is a sign of life. */
  #changed(run: Run): boolean {
    const id = `${run.project}/${run.id}`;
    const before = this.#runs.get(id);
    this.#runs.set(id, run);
    return before?.messages !== run.messages || hasOutcome(before) !== hasOutcome(run);
  }

  /** At the end no agent works any more: no letter is with an agent. */
  atEnd(): void {
    for (const { project, letters } of this.#boxes.values()) {
      for (const { id, state, to } of letters) {
        const waits = state.kind === "waiting" && to !== "operator";
        if (waits || state.kind === "handed")
          this.#fail(`letter ${id} of ${project} to ${to} is still ${state.kind}`);
      }
    }
  }

  #kept(box: Mailbox): void {
    const now = new Set(box.letters.map(({ id }) => id));
    for (const { id, state } of this.#boxes.get(`mail:${box.project}`)?.letters ?? []) {
      if (state.kind !== "acknowledged" && !now.has(id))
        this.#fail(`letter ${id} of ${box.project} vanished while it was ${state.kind}`);
    }
  }

  /** After each transaction: who is said to have a letter has it among its messages. */
  #held({ project, letters }: Mailbox): void {
    for (const { id, state } of letters) {
      if (state.kind !== "handed") continue;
      const run = this.#runs.get(`${project}/${state.run}`);
      const has = run?.messages.some(({ letter }) => letter?.id === id) === true;
      if (run === undefined || hasOutcome(run) || !has)
        this.#fail(`letter ${id} of ${project} is said to be with ${state.run}, which has it not`);
    }
  }

  #fail(message: string): void {
    this.#world.fail(this.name, message);
  }
}
