import { expect, test } from "vitest";
import {
  isAbove,
  newContextUse,
  screenLooked,
  symptomsOf,
  symptomsOn,
  toolCalled,
  turnEnded,
  urgencyOf,
  type ContextUse,
  type Urgency,
} from "./context-use.ts";

const LIMITS = { contextMedium: 70, contextHigh: 80 };
const use = (change: Partial<ContextUse>): ContextUse => ({ ...newContextUse(), ...change });

/** Ten calls a second apart, then five that take as long as told. */
function paced(slowMs: number): ContextUse {
  let [at, current] = [0, newContextUse()];
  for (let call = 0; call < 16; call += 1) {
    current = toolCalled(current, at);
    at += call < 10 ? 10_000 : slowMs;
  }
  return toolCalled(current, at);
}

test.each<[string, ContextUse, Urgency]>([
  ["nothing known", use({}), "none"],
  ["59 %", use({ percent: 59 }), "none"],
  ["60 %", use({ percent: 60 }), "low"],
  ["70 %", use({ percent: 70 }), "medium"],
  ["80 %", use({ percent: 80 }), "high"],
  ["20 % after three compactions", use({ percent: 20, compactions: 3 }), "none"],
  ["one compaction", use({ compactions: 1 }), "medium"],
  ["two compactions", use({ compactions: 2 }), "high"],
  ["a warning on the screen", use({ shown: { compaction: false, warning: true } }), "low"],
  ["all that a screen can show", use({ shown: { compaction: true, warning: true } }), "medium"],
  ["calls four times as slow", paced(40_000), "low"],
  ["calls twice as slow", paced(20_000), "none"],
])("%s is urgency %s", (_, state, urgency) => {
  expect(urgencyOf(state, LIMITS)).toBe(urgency);
});

test("symptoms are named, and urgencies have an order", () => {
  const all = { ...paced(90_000), compactions: 1, shown: { compaction: false, warning: true } };
  expect(symptomsOf(all)).toEqual(["compaction", "warning", "latency"]);
  expect([isAbove("high", "medium"), isAbove("low", "low"), isAbove("none", "low")]).toEqual([
    true,
    false,
    false,
  ]);
});

test("a pause between two turns does not count as slowness", () => {
  let state = newContextUse();
  for (let turn = 0; turn < 40; turn += 1) {
    state = turnEnded(toolCalled(toolCalled(state, turn * 3_600_000), turn * 3_600_000 + 1000));
  }
  expect(urgencyOf(state, LIMITS)).toBe("none");
});

test.each<[string, boolean, boolean]>([
  ["✻ Compacting conversation… (12s)", true, false],
  ["Running PreCompact hook", true, false],
  ["Context left until auto-compact: 4%", false, true],
  ["warning: context is almost full", false, true],
  ["the context menu is low on the page", false, false],
  ["compact the parser", false, false],
])("%j shows compaction %s, warning %s", (text, compaction, warning) => {
  expect(symptomsOn(text)).toEqual({ compaction, warning });
});

test("what a screen has shown once is remembered and not counted twice", () => {
  const seen = screenLooked(newContextUse(), { compaction: true, warning: false });
  expect(screenLooked(seen, { compaction: true, warning: false })).toBe(seen);
  expect(screenLooked(seen, { compaction: false, warning: true }).shown).toEqual({
    compaction: true,
    warning: true,
  });
});
