// The machine's own clocks.
import { performance } from "node:perf_hooks";
import type { Clock } from "../../ports/clock.ts";

/** Node fires timers beyond this at once instead of never, and warns of those before now. */
const TIMER_MAX_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonicMs: () => performance.now(),
  after: (delayMs, call) => {
    const timer = setTimeout(call, Math.max(0, Math.min(delayMs, TIMER_MAX_MS)));
    timer.unref();
    return { cancel: () => clearTimeout(timer) };
  },
};
