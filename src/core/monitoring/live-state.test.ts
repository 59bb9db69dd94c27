import { expect, test } from "vitest";
import { judgeSession, looked, newWatched } from "./live-state.ts";
import type { Look } from "./live-state.ts";

const MINUTE = 60_000;
const LIMITS = { stuckAfterMs: 15 * MINUTE, clockWindowMs: 0, createdAt: 0 };

const look = (more: Partial<Look>): Look => ({
  at: 20 * MINUTE,
  exit: undefined,
  process: "alive",
  phase: undefined,
  cpuMs: undefined,
  running: undefined,
  words: undefined,
  clock: undefined,
  ...more,
});

const stateAfter = (looks: Look[], limits = LIMITS): string => {
  let watched = newWatched(0);
  let state = "";
  for (const one of looks) {
    watched = looked(watched, one);
    state = judgeSession(watched, one, limits).state;
  }
  return state;
};

test.each([
  ["10:00:00", "10:01:00", "just_started"],
  ["10:00:00", "10:00:00", "stuck"],
  [undefined, "10:00:00", "just_started"],
  [undefined, undefined, "stuck"],
  ["10:01:00", "10:00:00", "stuck"],
  ["23:59:30", "00:00:30", "just_started"],
])("other checks say stuck: a clock from %s to %s gives %s", (previous, current, state) => {
  const at = 20 * MINUTE;
  expect(
    stateAfter([look({ at, clock: previous }), look({ at: at + MINUTE, clock: current })]),
  ).toBe(state);
});

test("an exit record is believed before everything else", () => {
  const exited = look({ exit: { code: 0, signal: null }, process: "unknown", phase: "working" });
  expect(stateAfter([exited])).toBe("completed");
  const judged = judgeSession(
    newWatched(0),
    look({ exit: { code: null, signal: "SIGKILL" } }),
    LIMITS,
  );
  expect(judged).toEqual({ state: "crashed", reason: "exit_code_137", exitCode: 137 });
});

test("a process that cannot be asked is never dead and never stuck", () => {
  expect(stateAfter([look({ process: "unknown" })])).toBe("in_progress");
  expect(stateAfter([look({ process: "dead" })])).toBe("crashed");
});

test("a full core is work, a spinner's few percent are none", () => {
  const at = 20 * MINUTE;
  const used = (cpuMs: number) => [
    look({ at, cpuMs: 0 }),
    look({ at: at + 10_000, cpuMs, running: true }),
  ];
  expect(stateAfter(used(9_900))).toBe("in_progress");
  expect(stateAfter(used(300))).toBe("stuck");
});

test("the same words again are no progress, new words are", () => {
  const at = 14 * MINUTE;
  const later = 30 * MINUTE;
  const shown = look({ at, words: "Done for 3m" });
  expect(stateAfter([shown])).toBe("in_progress");
  expect(stateAfter([shown, look({ at: later, words: "Done for 3m" })])).toBe("stuck");
  expect(stateAfter([shown, look({ at: later, words: "more" })])).toBe("in_progress");
});

test("a clock that advanced a while ago counts within its window", () => {
  const limits = { ...LIMITS, clockWindowMs: 2 * MINUTE };
  const looks = [look({ clock: "10:00:00" }), look({ at: 21 * MINUTE, clock: "10:00:00" })];
  expect(stateAfter(looks, limits)).toBe("just_started");
  expect(stateAfter([...looks, look({ at: 23 * MINUTE, clock: "10:00:00" })], limits)).toBe(
    "stuck",
  );
});

test("a launch that left no process is a crash, once it is late", () => {
  expect(stateAfter([look({ at: 1_000, process: "none" })])).toBe("just_started");
  expect(stateAfter([look({ at: MINUTE, process: "none" })])).toBe("crashed");
});
