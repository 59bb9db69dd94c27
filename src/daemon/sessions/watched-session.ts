// One living session under watch: its folder and its process. What it says and how it ends become
// events, one look at a time, so that they reach the journal in order.
import type { RunEvent } from "../../core/run/run-event.ts";
import { runAggregate, type AggregateId } from "../../core/ids.ts";
import type { Run } from "../../core/run/run.ts";
import type { LiveSession, ProcessFacts } from "../../core/session/session.ts";
import type { SessionSnapshot } from "../../ports/session-files.ts";
import type { Glance, Observed, Sight } from "./session-observer.ts";
import type { WholeLoop } from "../engine/loop.ts";
import { createIntake, type Intake, type IntakeDeps } from "./session-intake.ts";

export type Seen = Extract<RunEvent, { kind: "session-seen" | "session-unseen" }>;

export type WatchDeps = IntakeDeps & { loop: WholeLoop; onError: (error: unknown) => void };

/** A session that lives has a process: it was reported with it. */
export type Watchable = LiveSession & { process: ProcessFacts };

export class WatchedSession implements Observed {
  readonly id: string;
  readonly to: AggregateId;
  readonly epoch: number;
  readonly process: ProcessFacts;
  readonly pane: string | undefined;
  readonly workspace: string;
  /** What was last told of it, and when. */
  said: { at: number; glance: Glance | undefined };
  readonly #deps: WatchDeps;
  readonly #intake: Intake;
  readonly #files: { close(): void };
  #last: Promise<void> = Promise.resolve();
  /** How many looks there were: a snapshot from before the last one is out of date. */
  #looks = 0;
  #closed = false;

  constructor(deps: WatchDeps, run: Run, session: Watchable) {
    const { ports, paths } = deps;
    this.#deps = deps;
    this.to = runAggregate(run.project, run.id);
    this.epoch = session.epoch;
    this.id = `${this.to}:${session.epoch}`;
    this.process = session.process;
    this.pane = session.pane?.pane;
    this.workspace = paths.workspace(run.project, run.identity);
    this.said = { at: 0, glance: undefined };
    this.#intake = createIntake(deps, run, session.epoch);
    this.#files = ports.sessionFiles.watch({
      dir: { path: paths.session(run.project, run.id, session.epoch) },
      onChange: (snapshot) => this.#enqueue(this.#changed(snapshot)),
      onMaybeGone: () => this.#enqueue(() => this.#askProcess()),
    });
    // What happened before the watch began.
    this.#enqueue(() => this.#askProcess());
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  close(): void {
    this.#closed = true;
    this.#files.close();
  }

  /**
   * Reads everything it has reported, even without a folder event, then tells what was seen of it.
   */
  see(look: () => Promise<Sight | undefined>): Promise<Seen> {
    return this.#inTurn(async () => {
      const life = await this.#askProcess();
      const isThere = life === "alive" && !this.#closed;
      if (isThere) await this.#intake.askAgent();
      const sight = isThere ? await look() : undefined;
      const facts = { at: this.#deps.ports.clock.now(), epoch: this.epoch };
      if (sight === undefined) return { kind: "session-unseen", ...facts };
      return { kind: "session-seen", ...facts, ...sight };
    });
  }

  /** After its end: all it has said, behind every look that is still under way. */
  async hearLast(): Promise<void> {
    await this.#inTurn(() => this.#intake.takeAll());
  }

  /** What waited behind another look is read again: an old phase must not follow a newer one. */
  #changed(snapshot: SessionSnapshot): () => Promise<unknown> {
    const looks = this.#looks;
    return () => (this.#looks === looks ? this.#intake.take(snapshot) : this.#intake.takeAll());
  }

  /** The process itself is asked; a failed probe is "unknown" and never "dead". */
  async #askProcess(): Promise<"alive" | "dead" | "unknown"> {
    const { ports, loop } = this.#deps;
    const life = await ports.terminal.probe(this.process);
    const exit = await this.#intake.takeAll();
    if (life !== "dead" || exit !== undefined) return life;
    const { to, epoch } = this;
    const at = ports.clock.now();
    await loop.submit({ to, event: { kind: "session-exited", at, epoch, exit: undefined } });
    return life;
  }

  #enqueue(work: () => Promise<unknown>): void {
    this.#inTurn(async () => {
      if (!this.#closed) await work();
    }).catch(this.#deps.onError);
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const before = this.#last;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#last = promise;
    await before;
    try {
      return await work();
    } finally {
      // The caller gets the failure; the next look has its turn all the same.
      this.#looks += 1;
      resolve();
    }
  }
}
