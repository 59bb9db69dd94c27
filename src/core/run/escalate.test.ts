import { expect, test } from "vitest";
import {
  contextAt,
  escalated,
  HEAD,
  kinds,
  tellKinds,
  testRun,
  testSession,
} from "../../../test/support/run.ts";
import { answered, block, escalate, escalationDue } from "./escalate.ts";
import type { Run } from "./run.ts";

const REPLY = { by: "ada", text: "8080" };

test("a person is told at once; a reminder and a deadline are set", () => {
  const context = contextAt(5);
  const run = escalate(testRun(), { reason: "Which port?" }, context);
  const { escalationReminderMs, escalationTimeoutMs } = run.config.limits;
  expect(run.stage).toMatchObject({
    escalation: { remindAt: 5 + escalationReminderMs, deadline: 5 + escalationTimeoutMs },
  });
  expect(context.output.effects).toMatchObject([
    { effect: { severity: "urgent", body: "Which port?" } },
  ]);
});

test("one question at a time", () => {
  const context = contextAt();
  const run = testRun({ stage: escalated() });
  expect(escalate(run, { reason: "Another?" }, context)).toBe(run);
  expect(context.output.effects).toEqual([]);
});

test("nothing lands and no session starts while a person is asked", () => {
  const context = contextAt();
  const queued = testRun({ stage: { kind: "queued", head: HEAD }, respawnAt: 9 });
  expect(escalate(queued, { reason: "r" }, context).respawnAt).toBeUndefined();
  expect(tellKinds(context.output)).toEqual(["entry-withdrawn"]);
});

test("an answer goes to the agent and wipes what counted against it", () => {
  const counts = { ...testRun().counts, nudges: 2, infraRetries: 1, ciFixes: 3 };
  const run = answered(
    testRun({ stage: escalated(), counts, crashes: [{ at: 0, head: undefined }] }),
    REPLY,
    contextAt(),
  );
  expect(run).toMatchObject({
    stage: { kind: "working" },
    crashes: [],
    counts: { nudges: 0, infraRetries: 0, ciFixes: 3 },
  });
  expect(run.messages).toMatchObject([{ kind: "answer", text: expect.stringContaining("8080") }]);
});

test("an answer to nothing changes nothing", () => {
  const run = testRun();
  expect(answered(run, REPLY, contextAt())).toBe(run);
});

const retrying = (effect: object): { run: Run; done: string[] } => {
  const context = contextAt();
  const again = { key: "k", lane: "l", effect } as never;
  const stage = escalate(testRun(), { reason: "r", again }, contextAt()).stage;
  return { run: answered(testRun({ stage }), REPLY, context), done: kinds(context.output) };
};

test.each([
  [{ kind: "claim-issue" }, { kind: "claiming" }],
  [{ kind: "prepare-workspace" }, { kind: "preparing" }],
  [
    { kind: "publish-branch", head: HEAD },
    { kind: "publishing", head: HEAD },
  ],
  [
    { kind: "check-branch", head: HEAD },
    { kind: "checking", head: HEAD },
  ],
])("what failed is tried again, and the run stands where it stood: %j", (effect, stage) => {
  const { run, done } = retrying(effect);
  expect(done).toEqual([effect.kind]);
  expect(run.stage).toMatchObject(stage);
});

test("a fetch that is tried again is waited for", () => {
  expect(retrying({ kind: "fetch-branch", ordinal: 3 }).run.fetching).toBe(3);
});

test("a person is reminded once, and after the deadline the issue is blocked", () => {
  const context = contextAt(100);
  const reminded = escalationDue(testRun({ stage: escalated() }), context);
  expect(context.output.effects).toMatchObject([{ effect: { severity: "warning" } }]);
  expect(escalationDue(reminded, contextAt(150))).toBe(reminded);
  expect(escalationDue(reminded, contextAt(200)).outcome?.kind).toBe("blocked");
});

test("a session that a person sits at outlives the deadline", () => {
  const run = testRun({ stage: escalated(), session: testSession({ attached: true }) });
  const later = escalationDue(run, contextAt(200));
  expect(later.outcome).toBeUndefined();
  expect(later.stage).toMatchObject({
    escalation: { deadline: 200 + run.config.limits.escalationReminderMs },
  });
});

test("a session that ended while a person sat at it does not outlive the deadline", () => {
  const session = testSession({ attached: true, status: "ended" });
  const late = escalationDue(testRun({ stage: escalated(), session }), contextAt(200));
  expect(late.outcome).toMatchObject({ kind: "blocked" });
});

test("giving up labels the issue, says why once, and keeps the workspace", () => {
  const context = contextAt();
  const run = block(testRun({ pr: 7 }), "too large", context);
  expect(context.output.effects).toMatchObject([
    {
      key: "run:toy/42.1:settle",
      effect: {
        close: false,
        addLabels: ["blocked", "backlog"],
        removeLabels: ["in-progress"],
        comment: expect.stringContaining("too large"),
      },
    },
    { effect: { kind: "notify" } },
  ]);
  expect(run.stage).toMatchObject({ clearing: { workspaceGone: true } });
  expect(block(run, "again", contextAt())).toBe(run);
});
