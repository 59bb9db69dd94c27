// Every question that an agent asks reaches a place where a person looks, and stays there until it is
// answered, taken back, or its run is over. The place is what `pawl status` shows; what was asked is
// known from the agent.
import { runAggregate, type AggregateId } from "../../src/core/ids.ts";
import type { Run } from "../../src/core/run/run.ts";
import { OperationError } from "../../src/lib/operation-error.ts";
import type { Fact, Journaled, Written } from "../fact.ts";
import { shownNow } from "../shown.ts";
import type { World } from "../world.ts";
import type { Checker } from "./checker.ts";

const LOOK_MS = 2 * 60_000;
/** A late notification or a few slow calls may hold it up for this long. */
const SLACK_MS = 6 * 60_000;
const READY = /^PHASE:(?:awaiting_ci|awaiting_review|done)/;

type Question = { to: AggregateId; epoch: number; how: "phase" | "help"; at: number };

export const questions = (world: World): Checker => new Questions(world);

class Questions implements Checker {
  readonly name = "questions";
  readonly #world: World;
  /** By its text. */
  readonly #open = new Map<string, Question>();
  readonly #runs = new Map<AggregateId, Run>();
  #troubleAt = 0;
  #isUp = false;

  constructor(world: World) {
    this.#world = world;
    this.#again();
  }

  hear(fact: Fact): void {
    if (fact.kind === "daemon-started") this.#isUp = true;
    if (fact.kind === "daemon-killed") this.#isUp = false;
    if (isTrouble(fact)) this.#troubleAt = this.#world.clock.monotonicMs();
    if (fact.kind === "question-asked") this.#asked(fact);
    else if (fact.kind === "phase-written" && READY.test(fact.text)) this.#takenBack(fact);
    else if (fact.kind === "journaled") this.#journaled(fact.journaled);
  }

  /** Only the current life of its run can ask. */
  #asked({ process, text, how }: Extract<Fact, { kind: "question-asked" }>): void {
    const { project, run, epoch } = process;
    const to = runAggregate(project, run);
    const session = this.#runs.get(to)?.session;
    if (session?.epoch !== epoch || session.status === "ended") return;
    // What was in the phase file before is written over.
    if (how === "phase") this.#forget(to, ({ how: other }) => other === "phase");
    this.#open.set(text, { to, epoch, how, at: this.#world.clock.monotonicMs() });
  }

  #takenBack({ project, run }: Extract<Fact, { kind: "phase-written" }>): void {
    this.#forget(runAggregate(project, run), ({ how }) => how === "phase");
  }

  #journaled({ written }: Journaled): void {
    for (const one of written) {
      if (one.kind === "event") this.#happened(one);
      if (one.kind === "state" && one.state.kind === "run") this.#saved(one.id, one.state);
    }
  }

  #happened({ to, event }: Extract<Written, { kind: "event" }>): void {
    if (event.kind !== "escalation-answered" && event.kind !== "run-retried") return;
    const shown = reasonOf(this.#runs.get(to));
    this.#forget(to, (_question, text) => shown.includes(text));
  }

  #saved(id: AggregateId, run: Run): void {
    this.#kept(id, run);
    this.#runs.set(id, run);
    if (run.outcome !== undefined) this.#forget(id, () => true);
  }

  /** Seen at once: the agent's next phase may hide that its question was dropped. */
  #kept(id: AggregateId, run: Run): void {
    if (run.outcome !== undefined || isEnding(run)) return;
    const before = reasonOf(this.#runs.get(id));
    const after = reasonOf(run);
    for (const [text, { to }] of this.#open) {
      if (to !== id || !before.includes(text) || after.includes(text)) continue;
      this.#world.fail(this.name, `${id} dropped "${text}", which has no answer`);
    }
  }

  #forget(to: AggregateId, isOver: (question: Question, text: string) => boolean): void {
    for (const [text, question] of this.#open) {
      if (question.to === to && isOver(question, text)) this.#open.delete(text);
    }
  }

  #again(): void {
    this.#world.clock.after(LOOK_MS, () => {
      this.#look()
        .catch((error: unknown) =>
          this.#world.fail("simulator", `questions broke: ${String(error)}`),
        )
        .finally(() => this.#again());
    });
  }

  async #look(): Promise<void> {
    const { clock } = this.#world;
    const now = clock.monotonicMs();
    if (!this.#isUp) return;
    // What is said by a life that is being ended, which may take hours, is read at its end.
    for (const question of this.#open.values()) {
      if (this.#runs.get(question.to)?.session?.status === "ending") question.at = now;
    }
    const due = [...this.#open].filter(
      ([, { at }]) => now - Math.max(at, this.#troubleAt) >= SLACK_MS,
    );
    if (due.length === 0) return;
    const shown = await this.#shown();
    for (const [text, { to, how }] of due) {
      if (!this.#open.has(text) || shown.includes(text)) continue;
      this.#world.fail(this.name, `${to} asked "${text}" (${how}), and no person can see it`);
    }
  }

  async #shown(): Promise<string> {
    const { waits } = await shownNow(this.#world, undefined);
    return JSON.stringify(waits);
  }
}

/** What was asked of a person when the answer came. */
const reasonOf = (run: Run | undefined): string =>
  run?.stage.kind === "escalated" ? run.stage.escalation.reason : "";

/** Its question went with its work: the issue is closed, given up, or landed. */
const isEnding = ({ stage }: Run): boolean => stage.kind === "landed" || stage.kind === "blocking";

/** What keeps a daemon from taking in what agents say; one effect that fails does not. */
const isTrouble = (fact: Fact): boolean =>
  fact.kind === "daemon-killed" ||
  fact.kind === "daemon-started" ||
  (fact.kind === "effect-refused" && !/ of \w+:/.test(fact.about)) ||
  (fact.kind === "effect-refused" &&
    fact.error instanceof OperationError &&
    fact.error.code === "store-full");
