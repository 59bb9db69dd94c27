// The machine's own clocks.
import type { Clock } from "../../ports/clock.ts";
import { bootId } from "../shared/process-table.ts";

/** Node fires timers beyond this at once instead of never, and warns of those before now. */
const TIMER_MAX_MS = 2 ** 31 - 1;

const NANOSECONDS = 1_000_000;

export const systemClock: Clock = {
  now: () => Date.now(),
  // Since the machine was started, not this program.
  monotonicMs: () => Number(process.hrtime.bigint()) / NANOSECONDS,
  boot: bootId,
  after: (delayMs, call) => {
    const timer = setTimeout(call, Math.max(0, Math.min(delayMs, TIMER_MAX_MS)));
    timer.unref();
    return { cancel: () => clearTimeout(timer) };
  },
};
