import { expect, onTestFinished, test, vi } from "vitest";
import { SilenceClock } from "./silence-clock.ts";

test("a silence is as long as it lasted, also where the clock is set back meanwhile", () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const told: number[] = [];
  const clock = new SilenceClock({ silenceMs: 10_000, onSilence: (s) => void told.push(s) });
  clock.turnBegan();
  vi.setSystemTime(Date.now() - 3_600_000);
  vi.advanceTimersByTime(20_000);
  clock.close();
  expect(told).toEqual([10, 20]);
});
