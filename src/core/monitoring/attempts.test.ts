import { expect, test } from "vitest";
import { escalation, isNetworkError, nextAttempt, POLICY } from "./attempts.ts";
import type { Attempt } from "./attempts.ts";

const AGENTS = { primary: "first", fallback: "second", policy: POLICY };
const tried = (finalState: string, more: Partial<Attempt> = {}): Attempt => ({
  agent: "first",
  finalState,
  verified: false,
  todosDone: 0,
  networkError: false,
  ...more,
});
const next = (step: string, ...attempts: Attempt[]) => nextAttempt(step, attempts, AGENTS);

test("odd attempts are the primary's, even ones the fallback's", () => {
  expect(next("dev")).toMatchObject({ action: "start", agent: "first", attempt: 1 });
  expect(next("dev", tried("stuck"))).toMatchObject({ action: "retry", agent: "second" });
  const alone = { ...AGENTS, fallback: "false" };
  expect(nextAttempt("dev", [tried("stuck")], alone).agent).toBe("first");
});

test("verified work goes on, and what is incomplete or timed out is for a person at once", () => {
  expect(next("dev", tried("completed", { verified: true })).action).toBe("proceed");
  expect(next("dev", tried("incomplete")).action).toBe("escalate");
  expect(next("dev", tried("timeout")).action).toBe("escalate");
});

test("crashes are retried twice, failures of the network are not counted", () => {
  const crash = tried("crashed");
  expect(next("dev", crash, crash)).toMatchObject({ action: "retry", delay_s: 0 });
  expect(next("dev", crash, crash, crash)).toMatchObject({
    action: "escalate",
    reason: "crash_retries_exhausted",
  });
  const network = tried("crashed", { networkError: true });
  expect(next("dev", network, network, network)).toMatchObject({ action: "retry", delay_s: 60 });
  expect(next("dev", ...Array<Attempt>(5).fill(network)).action).toBe("escalate");
});

test("the same progress three times defers a story; extra tests and a look back are skipped", () => {
  const same = tried("stuck", { todosDone: 3 });
  expect(next("dev", same, same, same).action).toBe("defer");
  expect(next("auto", tried("incomplete")).action).toBe("skip");
  expect(next("retro", tried("timeout")).action).toBe("skip");
});

test.each([
  ["review-loop", "cycles=4", false],
  ["review-loop", "cycles=5", true],
  ["session-crash", "retries=1", false],
  ["session-crash", "retries=2", true],
  ["story-validation", "created=1", false],
  ["story-validation", "created=0", true],
  ["unknown-trigger", "", true],
])("%s with %s escalates: %s", (trigger, context, escalate) => {
  expect(escalation(trigger, context, { counted: undefined, policy: POLICY }).escalate).toBe(
    escalate,
  );
});

test("without a number the ledger's count decides", () => {
  expect(escalation("session-crash", "", { counted: 2, policy: POLICY }).escalate).toBe(true);
});

test("an error of the network is known by the end of the output", () => {
  const output = `${"x".repeat(200)}\nAPI Error: 529 overloaded`;
  expect(isNetworkError(output, "stuck")).toBe(true);
  expect(isNetworkError("", "crashed")).toBe(true);
  expect(isNetworkError("y".repeat(200), "crashed")).toBe(false);
});
