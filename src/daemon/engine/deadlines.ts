// Wakes aggregates whose deadline has passed. Where the wall clock jumped, deadlines are moved first.
//
// A deadline that is still due after its aggregate was woken is a bug in the core, and must cost the
// other aggregates nothing: it is reported, and tried again after a pause that grows. Between two
// looks the event loop always runs, so that a bug here can never stop the daemon.
import type { AggregateId } from "../../core/ids.ts";
import { deadlineOf } from "../../core/step.ts";
import { isKnownKind } from "../../core/unknown-state.ts";
import { formatDuration } from "../../lib/duration.ts";
import { OperationError } from "../../lib/operation-error.ts";
import type { Clock, Timer } from "../../ports/clock.ts";
import type { Store, Wake } from "../../ports/store.ts";
import type { ClockJumps } from "./clock-jumps.ts";
import type { Input, Loop } from "./loop.ts";
import { saveState } from "./save-state.ts";

/** Also without a deadline the clocks are compared this often. */
const LOOK_MS = 60_000;
const FAILED_MS = 1000;
const PAUSE_MAX_MS = 5 * 60_000;
/** More deadlines of one aggregate are never the same instant. */
const STEPS_MAX = 20;

export type Deadlines = {
  /** Looks again; called after every commit that changed a deadline. */
  schedule(): void;
  stop(): void;
};

export type DeadlinesDeps = {
  store: Store;
  clock: Clock;
  loop: Loop;
  jumps: Pick<ClockJumps, "settle">;
  /** Where not, a deadline waits until the next look, however long it is due. */
  mayPass: (id: AggregateId) => boolean;
  onError: (error: unknown) => void;
};

export const createDeadlines = (deps: DeadlinesDeps): Deadlines => new Waker(deps);

class Waker implements Deadlines {
  readonly #deps: DeadlinesDeps;
  #timer: Timer | undefined;
  #stopped = false;
  #looking = false;
  #again = false;
  /** How often an aggregate was woken for one and the same instant. */
  readonly #steps = new Map<AggregateId, number>();
  /** Deadlines that did not move when their aggregates were woken. */
  readonly #paused = new Map<AggregateId, { wakeAt: number; pauseMs: number; until: number }>();

  constructor(deps: DeadlinesDeps) {
    this.#deps = deps;
  }

  schedule(): void {
    if (this.#stopped) return;
    if (this.#looking) {
      this.#again = true;
      return;
    }
    this.#looking = true;
    this.#look()
      .catch((error: unknown) => this.#failed(error))
      .finally(() => {
        this.#looking = false;
        if (!this.#again) return;
        this.#again = false;
        this.#lookIn(0);
      });
  }

  stop(): void {
    this.#stopped = true;
    this.#timer?.cancel();
  }

  async #look(): Promise<void> {
    const { store, clock, jumps, mayPass } = this.#deps;
    await jumps.settle();
    const now = clock.now();
    const due = (await store.due(now)).filter(
      (wake) => mayPass(wake.id) && !this.#isPaused(wake, now),
    );
    const event = { kind: "deadline-passed", at: now } as const;
    // Side by side, so that they share commits.
    const told = await Promise.all(
      due.map(async (wake) => ({ ...wake, isTold: await this.#tell({ to: wake.id, event }) })),
    );
    if (due.length > 0) await this.#pauseUnmoved(told, now);
    const next = await store.nextWake(now);
    const resumed = [...this.#paused.values()].map(({ until }) => until);
    const wakeAt = Math.min(next ?? Infinity, ...resumed, now + LOOK_MS);
    this.#lookIn(Math.max(wakeAt - clock.now(), 0));
  }

  #isPaused({ id, wakeAt }: Wake, now: number): boolean {
    const paused = this.#paused.get(id);
    return paused !== undefined && paused.wakeAt === wakeAt && paused.until > now;
  }

  /** A deadline that moved, even to another instant that has passed, needs no pause. */
  async #pauseUnmoved(told: (Wake & { isTold: boolean })[], now: number): Promise<void> {
    const { store } = this.#deps;
    const still = new Map((await store.due(now)).map((wake) => [wake.id, wake]));
    let isMoved = false;
    for (const wake of told) {
      const after = still.get(wake.id);
      if (after === undefined || this.#isStepped(wake, after)) {
        this.#paused.delete(wake.id);
        if (after === undefined) this.#steps.delete(wake.id);
        isMoved ||= after !== undefined;
      } else if (wake.isTold && (await this.#correct(after))) isMoved = true;
      else this.#pause(after, wake.isTold);
    }
    if (isMoved) this.#again = true;
  }

  /** Two deadlines of one aggregate may be the same instant: then each takes a step of its own. */
  #isStepped(before: Wake, after: Wake): boolean {
    if (after.wakeAt !== before.wakeAt) {
      this.#steps.delete(after.id);
      return true;
    }
    const steps = (this.#steps.get(after.id) ?? 0) + 1;
    this.#steps.set(after.id, steps);
    return after.version !== before.version && steps <= STEPS_MAX;
  }

  /** `isTold`: otherwise the error that kept it from being told was reported already. */
  #pause({ id, wakeAt }: Wake, isTold: boolean): void {
    const { clock, onError } = this.#deps;
    const known = this.#paused.get(id);
    const lastMs = known?.wakeAt === wakeAt ? known.pauseMs : undefined;
    const pauseMs = lastMs === undefined ? FAILED_MS : Math.min(2 * lastMs, PAUSE_MAX_MS);
    this.#paused.set(id, { wakeAt, pauseMs, until: clock.now() + pauseMs });
    if (isTold) onError(unmoved(id, wakeAt, pauseMs));
  }

  /** A journal of another version may hold a deadline that this version computes differently. */
  async #correct({ id, wakeAt }: Wake): Promise<boolean> {
    return this.#deps.store.transaction(async (tx) => {
      const stored = await tx.load(id);
      if (stored === undefined || !isKnownKind(id)) return false;
      const right = deadlineOf(stored.state);
      if (right === wakeAt) return false;
      await saveState(tx, id, stored.state);
      return true;
    });
  }

  #lookIn(waitMs: number): void {
    if (this.#stopped) return;
    this.#timer?.cancel();
    this.#timer = this.#deps.clock.after(Math.min(waitMs, LOOK_MS), () => this.schedule());
  }

  /** A journal that cannot be written now is tried again; a deadline is late then, never lost. */
  #failed(error: unknown): void {
    this.#deps.onError(error);
    this.#lookIn(FAILED_MS);
  }

  /** One aggregate that cannot be stepped, by a bug, must not keep all others from their deadlines. */
  async #tell(input: Input): Promise<boolean> {
    try {
      await this.#deps.loop.submit(input);
      return true;
    } catch (error) {
      // The journal itself: everything waits for it.
      if (error instanceof OperationError) throw error;
      this.#deps.onError(error);
      return false;
    }
  }
}

const unmoved = (id: AggregateId, wakeAt: number, pauseMs: number): Error =>
  new Error(
    `the deadline of ${id} passed at ${new Date(wakeAt).toISOString()} and deadline-passed does not ` +
      `move it; this is a bug in Pawl; the next try is in ${formatDuration(pauseMs)}`,
  );
