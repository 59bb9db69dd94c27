// Wakes aggregates whose deadline has passed, and notices a wall clock that jumped (a laptop that
// slept): then every deadline moves by the gap instead of firing.
import { OperationError } from "../lib/operation-error.ts";
import type { Clock, Timer } from "../ports/clock.ts";
import type { Store } from "../ports/store.ts";
import type { Input, Loop } from "./loop.ts";

/** A wake this much later than the steady clock says means that the wall clock jumped. */
const JUMP_MS = 30_000;
/** Also without a deadline the clocks are compared this often. */
const LOOK_MS = 60_000;
const SOONEST_MS = 5;
const FAILED_MS = 1000;

export type Deadlines = {
  /** Looks again; called after every commit that changed a deadline. */
  schedule(): void;
  stop(): void;
};

export type DeadlinesDeps = {
  store: Store;
  clock: Clock;
  loop: Loop;
  onError: (error: unknown) => void;
};

export const createDeadlines = (deps: DeadlinesDeps): Deadlines => new Waker(deps);

class Waker implements Deadlines {
  readonly #deps: DeadlinesDeps;
  #timer: Timer | undefined;
  #stopped = false;
  #looking = false;
  #again = false;
  #wall: number;
  #steady: number;

  constructor(deps: DeadlinesDeps) {
    this.#deps = deps;
    this.#wall = deps.clock.now();
    this.#steady = deps.clock.monotonicMs();
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
        this.schedule();
      });
  }

  stop(): void {
    this.#stopped = true;
    this.#timer?.cancel();
  }

  async #look(): Promise<void> {
    const { store, clock } = this.#deps;
    const gapMs = this.#jumped();
    if (gapMs !== 0) await this.#shiftAll(gapMs);
    const now = clock.now();
    let soonestMs = SOONEST_MS;
    for (const id of await store.due(now)) {
      const told = await this.#tell({ to: id, event: { kind: "deadline-passed", at: now } });
      if (!told) soonestMs = FAILED_MS;
    }
    const wake = await store.nextWake();
    // A deadline that stays due (nobody moved it) must not become a busy loop.
    this.#lookIn(wake === undefined ? LOOK_MS : Math.max(wake - clock.now(), soonestMs));
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

  /** How far the wall clock went ahead of the steady one since the last look. */
  #jumped(): number {
    const { clock } = this.#deps;
    const gapMs = clock.now() - this.#wall - (clock.monotonicMs() - this.#steady);
    this.#wall = clock.now();
    this.#steady = clock.monotonicMs();
    return gapMs > JUMP_MS ? gapMs : 0;
  }

  async #shiftAll(gapMs: number): Promise<void> {
    const { store, clock } = this.#deps;
    for (const { id } of await store.aggregates()) {
      await this.#tell({ to: id, event: { kind: "clock-jumped", at: clock.now(), gapMs } });
    }
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
