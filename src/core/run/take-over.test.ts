import { expect, test } from "vitest";
import { severalAgents } from "../../../test/support/agents.ts";
import { contextAt, testRun } from "../../../test/support/run.ts";
import { accountOf } from "../agent-choice.ts";
import { othersOf, takeOver } from "./take-over.ts";

test("the first choice may continue a run that a fallback has begun", () => {
  const config = severalAgents();
  const second = config.agents!.named["second"]!;
  const choice = { first: config.agent, why: "" };
  const run = testRun({ config: { ...config, agent: second }, choice });
  expect(othersOf(run).map(accountOf)).toEqual(["first", "third"]);
});

test("a run without a next agent stays as it is", () => {
  const run = testRun({ config: severalAgents() });
  expect(takeOver(run, contextAt(5))).toBe(run);
});

test("an agent that the configuration no longer has is not waited for", () => {
  const next = { account: "gone", reason: "429" };
  const run = takeOver(testRun({ config: severalAgents(), next }), contextAt(5));
  expect([run.next, run.agents]).toEqual([undefined, undefined]);
});
