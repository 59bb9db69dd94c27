import { expect, test } from "vitest";
import { contextAt, escalated, HEAD, kinds, testRun } from "../../../test/support/run.ts";
import { agentAsks } from "./agent-asks.ts";
import { answered, escalate } from "./escalate.ts";
import type { Run } from "./run.ts";

const reasonOf = ({ stage }: Run): string =>
  stage.kind === "escalated" ? stage.escalation.reason : "";

test("a question while a person is asked something else is asked too, and both stay open", () => {
  const context = contextAt(5);
  const run = agentAsks(testRun({ stage: escalated("CI timeout") }), { reason: "Why?" }, context);
  expect(reasonOf(run)).toBe("Why?; still open: CI timeout");
  expect(kinds(context.output)).toEqual(["notify"]);
});

test("what was to be tried again waits for the agent, which has the answer first", () => {
  const again = { key: "k", lane: "l", effect: { kind: "check-branch", head: HEAD } } as never;
  const timedOut = escalate(testRun(), { reason: "CI timeout", again }, contextAt());
  const asked = agentAsks(timedOut, { reason: "Is that right?" }, contextAt());
  const run = answered(asked, { by: "ada", text: "No." }, contextAt());
  expect(run.stage.kind).toBe("working");
  expect(run.messages).toMatchObject([{ kind: "answer" }]);
});

test("the same question again is no news", () => {
  const context = contextAt();
  const run = testRun({ stage: escalated("Why?") });
  expect(agentAsks(run, { reason: "Why?" }, context)).toEqual(run);
  expect(kinds(context.output)).toEqual([]);
});

test("an agent that asks in a loop is announced a few times, and its text has a limit", () => {
  const context = contextAt();
  let run = testRun();
  for (let index = 0; index < 1_000; index += 1) {
    run = agentAsks(run, { reason: `Question ${index}?` }, context);
  }
  expect(kinds(context.output)).toHaveLength(10);
  expect(reasonOf(run)).toContain("Question 999?");
  expect(reasonOf(run).length).toBeLessThanOrEqual(4_000);
});

test("a dialog that another question came before is asked about when that one is answered", () => {
  const question = { id: "q1", text: "Run it?", choices: ["Yes", "No"] };
  const dialog = testRun();
  const evidence = { ...dialog.session?.evidence, question };
  const run = { ...dialog, session: { ...dialog.session, evidence } } as Run;
  const asked = agentAsks(
    escalate(run, { reason: "Run it?", question }, contextAt()),
    { reason: "Help" },
    contextAt(),
  );
  const next = answered(asked, { by: "ada", text: "ok" }, contextAt());
  expect(next.session?.evidence.question).toEqual(question);
});
