// Wakes aggregates whose deadline has passed, and notices a wall clock that jumped (a laptop that
// slept): then every deadline moves by the gap instead of firing.
import type { Clock, Timer } from "../ports/clock.ts";
import type { Store } from "../ports/store.ts";
import type { Loop } from "./loop.ts";

/** A wake this much later than the steady clock says means that the wall clock jumped. */
const JUMP_MS = 30_000;
/** Also without a deadline the clocks are compared this often. */
const LOOK_MS = 60_000;

export type Deadlines = {
  /** Looks again; called after every commit that changed a deadline. */
  schedule(): void;
  stop(): void;
};

export function createDeadlines(deps: {
  store: Store;
  clock: Clock;
  loop: Loop;
  onError: (error: unknown) => void;
}): Deadlines {
  const { clock, store, loop } = deps;
  let timer: Timer | undefined;
  let stopped = false;
  let looking = false;
  let again = false;
  let wall = clock.now();
  let steady = clock.monotonicMs();

  async function look(): Promise<void> {
    const gapMs = jumped();
    if (gapMs !== 0) await shiftAll(gapMs);
    const now = clock.now();
    for (const id of await store.due(now)) {
      await loop.submit({ to: id, event: { kind: "deadline-passed", at: now } });
    }
    const wake = await store.nextWake();
    if (stopped) return;
    // A deadline that stays due (nobody moved it) must not become a busy loop.
    const waitMs = wake === undefined ? LOOK_MS : Math.max(wake - clock.now(), 5);
    timer?.cancel();
    timer = clock.after(Math.min(waitMs, LOOK_MS), schedule);
  }

  function jumped(): number {
    const passedWall = clock.now() - wall;
    const passedSteady = clock.monotonicMs() - steady;
    wall = clock.now();
    steady = clock.monotonicMs();
    const gapMs = passedWall - passedSteady;
    return gapMs > JUMP_MS ? gapMs : 0;
  }

  async function shiftAll(gapMs: number): Promise<void> {
    for (const { id } of await store.aggregates()) {
      await loop.submit({ to: id, event: { kind: "clock-jumped", at: clock.now(), gapMs } });
    }
  }

  function schedule(): void {
    if (stopped) return;
    if (looking) {
      again = true;
      return;
    }
    looking = true;
    look()
      .catch(deps.onError)
      .finally(() => {
        looking = false;
        if (again) {
          again = false;
          schedule();
        }
      });
  }

  return {
    schedule,
    stop: () => {
      stopped = true;
      timer?.cancel();
    },
  };
}
