// A clock that a test moves: timers are called in order, and what they start is let go on between.
import type { Clock, Timer } from "../../src/ports/clock.ts";

const TURNS = 20;

export function createFakeClock(): Clock & { pass(ms: number): Promise<void> } {
  let now = 0;
  const timers = new Set<{ at: number; call: () => void }>();
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < TURNS; turn += 1) await Promise.resolve();
  };
  return {
    now: () => now,
    monotonicMs: () => now,
    boot: "",
    after(delayMs, call): Timer {
      const timer = { at: now + delayMs, call };
      timers.add(timer);
      return { cancel: () => void timers.delete(timer) };
    },
    async pass(ms) {
      const until = now + ms;
      for (;;) {
        await settle();
        const next = [...timers].toSorted((a, b) => a.at - b.at)[0];
        if (next === undefined || next.at > until) break;
        timers.delete(next);
        now = next.at;
        next.call();
      }
      now = until;
      await settle();
    },
  };
}
