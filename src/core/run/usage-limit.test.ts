import { expect, test } from "vitest";
import { contextAt, kinds, tellKinds, testRun, testSession } from "../../../test/support/run.ts";
import { newEvidence } from "../session/evidence.ts";
import type { Run } from "./run.ts";
import { limited, worksAgain } from "./usage-limit.ts";

const MINUTE_MS = 60_000;
const withLimit = (limit: { ask: boolean; retryMs: number }): Run => {
  const run = testRun();
  const config = { ...run.config, agent: { ...run.config.agent, limit } };
  return { ...run, config };
};

test("a limit that names no end is tried again after what was configured, else after 15 minutes", () => {
  const until = (run: Run) =>
    limited(run, { until: undefined, reason: "429" }, contextAt(5)).session?.evidence.limit?.until;
  expect(until(testRun())).toBe(5 + 15 * MINUTE_MS);
  expect(until(withLimit({ ask: false, retryMs: 100 }))).toBe(105);
});

test("a person who wants to be asked is asked once, and the limit holds for the whole project", () => {
  const context = contextAt(5);
  const run = withLimit({ ask: true, retryMs: 100 });
  const asked = limited(run, { until: 50, reason: "429" }, context);
  expect(asked.stage).toMatchObject({
    kind: "escalated",
    escalation: { reason: "usage limit until 1970-01-01T00:00:00.050Z: 429" },
  });
  expect(tellKinds(context.output)).toEqual(["account-limited"]);
  expect(kinds(context.output)).toEqual(["notify"]);
  const again = contextAt(6);
  expect(limited(asked, { until: 50, reason: "429" }, again).stage).toEqual(asked.stage);
  expect(again.output.tells).toEqual([]);
});

test("who works again frees the account, and only who was limited", () => {
  const limit = { until: 50, reason: "429" };
  const evidence = { ...newEvidence(), limit };
  const context = contextAt(60);
  const free = worksAgain(testRun({ session: testSession({ evidence }) }), context);
  expect(free.session?.evidence.limit).toBeUndefined();
  expect(tellKinds(context.output)).toEqual(["account-freed"]);
  const other = contextAt(60);
  worksAgain(testRun(), other);
  expect(other.output.tells).toEqual([]);
});
