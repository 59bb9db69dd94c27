// Watches every living session through its files, its process and what it shows, and turns that
// into events. Which sessions live is read off the journal, so that a new daemon adopts them all.
import { runAggregate, type AggregateId } from "../../core/ids.ts";
import type { Run } from "../../core/run/run.ts";
import { OperationError } from "../../lib/operation-error.ts";
import type { Timer } from "../../ports/clock.ts";
import { SessionObserver, type Glance, type Sight } from "./session-observer.ts";
import type { Input } from "../engine/loop.ts";
import { createIntake } from "./session-intake.ts";
import { WatchedSession, type Seen, type Watchable, type WatchDeps } from "./watched-session.ts";

/** How often sessions are looked at from outside. */
const LOOK_MS = 10_000;
/** Sessions that a new daemon finds are looked at soon. */
const FIRST_LOOK_MS = 1_000;
/** How often a living process is noted in the journal where nothing else is new: with the time
 * between two looks less than 60 s. */
const SEEN_MS = 45_000;
/** Where one is noted, those not noted for so long are noted with it: soon all are in one write. */
const TOGETHER_MS = SEEN_MS / 2;
/** So many are noted in one commit. */
const NOTED_MAX = 32;

type Look = { session: WatchedSession; seen: Seen };

export type Watch = {
  /** Begins to watch a run's living session, and stops watching one that has ended. */
  sync(run: Run): void;
  /** Takes in everything this life has said, and looks at it from outside. */
  look(id: AggregateId, epoch: number): Promise<Seen>;
  /** Takes in what this life said last. Its processes are gone, and the run has not decided yet. */
  hearLast(run: Run, epoch: number): Promise<void>;
  /** Watches a run's session again from the start, as a new daemon would. */
  renew(run: Run): void;
  stop(): void;
};

export const createWatch = (deps: WatchDeps): Watch => new Watcher(deps);

class Watcher implements Watch {
  readonly #deps: WatchDeps;
  readonly #observer: SessionObserver;
  readonly #watched = new Map<AggregateId, WatchedSession>();
  /** Those that are being ended: looks at them may still be under way. */
  readonly #ending = new Map<AggregateId, WatchedSession>();
  #timer: Timer;
  #stopped = false;

  constructor(deps: WatchDeps) {
    this.#deps = deps;
    this.#observer = new SessionObserver(deps.ports);
    this.#timer = deps.ports.clock.after(FIRST_LOOK_MS, () => this.#tick());
  }

  sync(run: Run): void {
    const id = runAggregate(run.project, run.id);
    const current = this.#watched.get(id);
    const { session } = run;
    const live = session?.status === "live" && session.process !== undefined;
    if (current !== undefined && !(live && current.epoch === session.epoch)) {
      current.close();
      this.#observer.forget(current.id);
      this.#watched.delete(id);
      this.#ending.set(id, current);
    }
    if (session?.status !== "ending") this.#ending.delete(id);
    if (!live || this.#watched.has(id) || this.#stopped) return;
    this.#watched.set(id, new WatchedSession(this.#deps, run, session as Watchable));
  }

  renew(run: Run): void {
    const id = runAggregate(run.project, run.id);
    const current = this.#watched.get(id);
    current?.close();
    if (current !== undefined) this.#observer.forget(current.id);
    this.#watched.delete(id);
    this.sync(run);
  }

  async look(id: AggregateId, epoch: number): Promise<Seen> {
    const session = this.#watched.get(id);
    if (session?.epoch !== epoch) {
      return { kind: "session-unseen", at: this.#deps.ports.clock.now(), epoch };
    }
    const seen = await session.see(() => this.#observer.observe(session));
    return seen.kind === "session-seen" ? { ...seen, asked: true } : seen;
  }

  async hearLast(run: Run, epoch: number): Promise<void> {
    const session = this.#ending.get(runAggregate(run.project, run.id));
    if (session?.epoch === epoch) await session.hearLast();
    else await createIntake(this.#deps, run, epoch).takeAll();
  }

  stop(): void {
    this.#stopped = true;
    this.#timer.cancel();
    for (const session of this.#watched.values()) session.close();
    this.#watched.clear();
  }

  #tick(): void {
    if (this.#stopped) return;
    this.#observeAll()
      .catch(this.#deps.onError)
      .finally(() => {
        if (this.#stopped) return;
        this.#timer = this.#deps.ports.clock.after(LOOK_MS, () => this.#tick());
      });
  }

  /** What cannot be seen is unknown, and the sessions' own reports are still read. */
  async #attempt<T>(look: () => Promise<Map<string, T>>): Promise<Map<string, T>> {
    try {
      return await look();
    } catch (error) {
      if (!(error instanceof OperationError)) throw error;
      this.#deps.onError(error);
      return new Map();
    }
  }

  /** The safety net under events, and the only source of what agents do not say themselves. */
  async #observeAll(): Promise<void> {
    const { clock } = this.#deps.ports;
    const all = [...this.#watched.values()];
    const glances = await this.#attempt(() => this.#observer.glance(all));
    const now = clock.now();
    const sinceMs = all.some(({ said }) => now - said.at >= SEEN_MS) ? TOGETHER_MS : SEEN_MS;
    const due = all.filter(({ id, said }) => {
      return now - said.at >= sinceMs || isNews(said.glance, glances.get(id));
    });
    const sights = await this.#attempt(() => this.#observer.measure(due, glances));
    const looks: Look[] = [];
    for (const session of due) {
      const seen = await this.#see(session, sights.get(session.id));
      if (seen !== undefined) looks.push({ session, seen });
    }
    await this.#note(looks, glances);
  }

  /** A session that cannot be looked at does not stop reports about the others. */
  async #see(session: WatchedSession, sight: Sight | undefined): Promise<Seen | undefined> {
    try {
      return await session.see(async () => sight);
    } catch (error) {
      this.#deps.onError(error);
      return undefined;
    }
  }

  /**
   * Many in one transaction: each is a write to the disk, and ten sessions are looked at as one. Not
   * all of hundreds: nothing else can happen while they are applied.
   */
  async #note(looks: readonly Look[], glances: ReadonlyMap<string, Glance>): Promise<void> {
    // While one was looked at, another may have ended, or have been seen later than here.
    const at = this.#deps.ports.clock.now();
    const open = looks.filter(({ session }) => !session.isClosed);
    const inputs = open.map(({ session, seen }) => ({ to: session.to, event: { ...seen, at } }));
    for (let first = 0; first < inputs.length; first += NOTED_MAX) {
      await this.#noteTogether(inputs.slice(first, first + NOTED_MAX));
    }
    // What was said last of one that could not be seen now is still the last word.
    for (const { session } of looks) {
      session.said = { at, glance: glances.get(session.id) ?? session.said.glance };
    }
  }

  async #noteTogether(inputs: readonly Input[]): Promise<void> {
    try {
      await this.#deps.loop.submitAll(inputs);
    } catch (error) {
      // The journal itself: everything waits for it.
      if (error instanceof OperationError) throw error;
      await this.#noteEach(inputs);
    }
  }

  /** One run that cannot be stepped, by a bug, must not keep the others from being seen. */
  async #noteEach(inputs: readonly Input[]): Promise<void> {
    for (const input of inputs) {
      try {
        await this.#deps.loop.submit(input);
      } catch (error) {
        if (error instanceof OperationError) throw error;
        this.#deps.onError(error);
      }
    }
  }
}

/**
 * Worth a report before the next one is due: a client attached or left, or the context has a new
 * mark.
 */
function isNews(said: Glance | undefined, now: Glance | undefined): boolean {
  if (now === undefined) return false;
  return (
    now.attached !== (said?.attached ?? false) ||
    now.percent !== said?.percent ||
    (now.shown?.compaction ?? false) !== (said?.shown?.compaction ?? false) ||
    (now.shown?.warning ?? false) !== (said?.shown?.warning ?? false)
  );
}
