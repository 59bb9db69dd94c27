import { expect, test } from "vitest";
import { NOTHING } from "../budget.ts";
import { admit, ended, newMeter, used, type Meter, type Terms } from "./meter.ts";

const FREE: Terms = { budget: undefined, from: NOTHING, closed: undefined };
const HUNDRED: Terms = { ...FREE, budget: { tokens: 100 } };
const tokens = (count: number) => ({ tokens: count, usd: 0 });

const ask = (meter: Meter, terms: Terms, most = 50) =>
  admit(meter, { most: tokens(most), limit: undefined, terms, at: 10 });

function passed(meter: Meter, terms: Terms, most?: number): Meter {
  const admission = ask(meter, terms, most);
  if (admission.kind !== "passed") throw new Error(admission.kind);
  return admission.meter;
}

test("without a budget every request passes, and is counted", () => {
  const two = passed(passed(newMeter(NOTHING), FREE), FREE);
  expect(two).toMatchObject({ requests: 2, underWay: { 1: tokens(50), 2: tokens(50) } });
});

test("a run that has spent its budget sends no further request", () => {
  const meter = used(newMeter(tokens(40)), tokens(60));
  expect(ask(meter, HUNDRED)).toEqual({
    kind: "spent",
    reason: "the run has spent 100 of 100 tokens",
  });
});

test("a request that starts below the budget may exceed it, and is the last one", () => {
  const first = passed(newMeter(tokens(99)), HUNDRED, 1_000_000);
  const after = ended(used(first, tokens(500_000)), 1);
  expect(ask(after, HUNDRED).kind).toBe("spent");
});

test("a request waits while others may spend all that is left", () => {
  const first = passed(newMeter(tokens(60)), HUNDRED, 50);
  expect(ask(first, HUNDRED)).toEqual({ kind: "waits" });
  expect(ask(ended(used(first, tokens(10)), 1), HUNDRED).kind).toBe("passed");
});

test("requests pass side by side while all of them together stay below the budget", () => {
  const two = passed(passed(newMeter(NOTHING), HUNDRED, 30), HUNDRED, 30);
  expect(ask(two, HUNDRED, 30).kind).toBe("passed");
  expect(ask(passed(two, HUNDRED, 40), HUNDRED, 1).kind).toBe("waits");
});

test("a budget that a person raised counts from what was spent then", () => {
  const meter = newMeter(tokens(150));
  expect(ask(meter, { ...HUNDRED, from: tokens(140) }).kind).toBe("passed");
});

test("a day that is spent stops requests until its end", () => {
  const closed = { until: 20, reason: "budget: day spent $5.00 of $5.00" };
  expect(ask(newMeter(NOTHING), { ...FREE, closed })).toMatchObject({
    kind: "spent",
    reason: closed.reason,
  });
  expect(ask(newMeter(NOTHING), { ...FREE, closed: { ...closed, until: 10 } }).kind).toBe("passed");
});

test("a key that is limited is not used before the limit ends", () => {
  const limit = { until: 20, reason: "429" };
  const at = (now: number) =>
    admit(newMeter(NOTHING), { most: tokens(1), limit, terms: FREE, at: now });
  expect(at(19)).toEqual({ kind: "limited", limit });
  expect(at(20).kind).toBe("passed");
});
