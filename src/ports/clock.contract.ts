// What a clock behind the port must do, as tests: the simulator's and the machine's run the same
// suite, so that the fake stays honest.
import { beforeEach, describe, expect, test } from "vitest";
import type { Clock } from "./clock.ts";

export type ClockUnderTest = {
  clock: Clock;
  /** Lets time pass until this is settled. */
  finish<T>(work: Promise<T>): Promise<T>;
};

const SOON_MS = 1;
const LATER_MS = 20;
/** More than the system's timers can count. */
const NOT_TODAY_MS = 2 ** 32;

export function clockContract(name: string, open: () => ClockUnderTest): void {
  describe(`${name} keeps its contract`, () => {
    let under: ClockUnderTest;
    beforeEach(() => {
      under = open();
    });

    /** What was called until a timer of this delay is. */
    const calledBy = async (
      delayMs: number,
      start: (call: (name: string) => () => void) => void,
    ) => {
      const called: string[] = [];
      start((word) => () => void called.push(word));
      const { promise, resolve } = Promise.withResolvers<void>();
      under.clock.after(delayMs, resolve);
      await under.finish(promise);
      return called;
    };

    test("timers call once, in the order in which they are due, however far off one is", async () => {
      const called = await calledBy(LATER_MS, (call) => {
        under.clock.after(LATER_MS, call("later"));
        under.clock.after(SOON_MS, call("soon"));
        under.clock.after(NOT_TODAY_MS, call("not today"));
      });
      expect(called).toEqual(["soon", "later"]);
    });

    test("a timer that is due already never calls before setting it returns", async () => {
      const order: string[] = [];
      const { promise, resolve } = Promise.withResolvers<void>();
      under.clock.after(-5, () => {
        order.push("called");
        resolve();
      });
      order.push("went on");
      await under.finish(promise);
      expect(order).toEqual(["went on", "called"]);
    });

    test("a timer that is cancelled does not call, also cancelled twice or after it called", async () => {
      const called = await calledBy(LATER_MS, (call) => {
        const never = under.clock.after(SOON_MS, call("never"));
        never.cancel();
        never.cancel();
        const once = under.clock.after(SOON_MS, () => {
          call("once")();
          once.cancel();
        });
      });
      expect(called).toEqual(["once"]);
    });

    test("monotonic time advances with timers", async () => {
      const before = under.clock.monotonicMs();
      await calledBy(LATER_MS, () => undefined);
      expect(under.clock.monotonicMs()).toBeGreaterThan(before);
    });
  });
}
