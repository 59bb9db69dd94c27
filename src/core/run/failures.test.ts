import { expect, test } from "vitest";
import {
  HEAD,
  contextAt,
  escalated,
  testMessage,
  testRun,
  testSession,
  wants,
} from "../../../test/support/run.ts";
import type { Effect } from "../effect.ts";
import { commitId } from "../ids.ts";
import { POISON } from "../quarantine.ts";
import { clearAway, land } from "./clear.ts";
import { effectFailed, workspaceKept } from "./failures.ts";
import { isUntold } from "./message-reactions.ts";
import { openMessages, post } from "./message.ts";
import { isUnendable, type Run } from "./run.ts";
import { fetchOf, type Stage } from "./stage.ts";
import { endAgain, sessionEnded } from "./session-life.ts";
import { stepRun } from "./step-run.ts";

const fail = (run: Run, effect: object, context = contextAt()): Run =>
  failWith(run, { effect, code: "broken" }, context);

const failWith = (
  run: Run,
  failing: { effect: object; code: string | undefined },
  context = contextAt(),
): Run =>
  effectFailed(
    run,
    {
      obligation: { key: "k", lane: "l", effect: failing.effect as Effect },
      code: failing.code ?? "broken",
      message: "it broke",
      hint: "fix it",
    },
    context,
  );

const ending = testSession({ status: "ending", verdict: "crashed" });
const end = { kind: "end-session", marks: { run: "42.1", epoch: 1 } };

test.each<[Stage, object]>([
  [{ kind: "claiming" }, { kind: "claim-issue" }],
  [{ kind: "preparing" }, { kind: "prepare-workspace" }],
  [
    { kind: "publishing", head: HEAD },
    { kind: "publish-branch", head: HEAD },
  ],
  [
    { kind: "checking", head: HEAD, key: "k", deadline: 1 },
    { kind: "check-branch", head: HEAD },
  ],
])(
  "a run in %j cannot go on without %j: a person is asked, and can have it tried again",
  (stage, effect) => {
    const run = fail(testRun({ stage }), effect);
    expect(run.stage).toMatchObject({
      kind: "escalated",
      escalation: { reason: "it broke (fix it)", again: { key: "k", effect } },
    });
  },
);

test("a fetch that failed is not waited for any longer", () => {
  const run = fail(testRun({ stage: { kind: "fetching", ordinal: 2 } }), {
    kind: "fetch-branch",
    ordinal: 2,
  });
  expect([run.stage.kind, fetchOf(run.stage)]).toEqual(["escalated", undefined]);
});

test.each([
  { kind: "publish-branch", head: commitId("old1") },
  { kind: "check-branch", head: HEAD },
  { kind: "fetch-branch", ordinal: 1 },
  { kind: "deliver-message", epoch: 1, id: "m1" },
  { kind: "notify" },
  { kind: "checkpoint" },
])("a failure of an effect that the run does not wait for is a warning: %j", (effect) => {
  const run = fail(testRun({ stage: { kind: "publishing", head: HEAD } }), effect);
  expect(run.stage.kind).toBe("publishing");
  expect(run.warnings).toEqual([{ at: 0, text: "it broke (fix it)" }]);
});

test.each([
  { code: "inbox-unwritable", sent: ["m1", "m2"] },
  { code: "message-unconfirmed", sent: ["m2"] },
])("defect 22: after $code the next message takes along what was never shown", ({ code, sent }) => {
  const run = testRun({ messages: [testMessage({ epoch: 1 })], nextMessage: 2 });
  const failed = failWith(run, { effect: { kind: "deliver-message", id: "m1" }, code });
  const next = post(failed, { kind: "notice", text: "more" }, contextAt());
  expect(wants(failed, next).effects.map(({ effect }) => effect)).toMatchObject(
    sent.map((id) => ({ kind: "deliver-message", id })),
  );
});

test.each(["message-unconfirmed", POISON])(
  "after %s the agent counts as told: it may be found idle, and its successor hears of the message",
  (code) => {
    const run = testRun({ messages: [testMessage({ epoch: 1 })], nextMessage: 2 });
    expect(isUntold(run)).toBe(true);
    const failed = failWith(run, { effect: { kind: "deliver-message", id: "m1" }, code });
    expect(isUntold(failed)).toBe(false);
    expect(openMessages(failed)).toHaveLength(1);
  },
);

test("a life that could not be started may run all the same: it is ended, and a person is asked", () => {
  const spawning = testRun({ session: testSession({ status: "spawning" }) });
  expect(fail(spawning, { kind: "spawn-session", epoch: 1 })).toMatchObject({
    stage: { kind: "escalated" },
    session: { status: "ending", verdict: "not_found" },
  });
  expect(fail(spawning, { kind: "spawn-session", epoch: 7 }).stage.kind).toBe("working");
});

test("while an old life may still run, a person is asked instead of starting a new one", () => {
  const run = fail(testRun({ session: ending }), end);
  expect(run).toMatchObject({
    stage: { kind: "escalated" },
    session: { status: "ending", unended: true },
  });
  const asked = fail(testRun({ session: ending, stage: escalated() }), end);
  expect(asked.session?.unended).toBe(true);
});

test("a run that is over keeps its workspace and tries again while its life cannot be ended, and a person hears of it once", () => {
  const over = testRun({ session: ending, outcome: { kind: "closed", why: "w" } });
  const first = contextAt();
  const failed = fail(over, end, first);
  expect(failed).toMatchObject({ session: { status: "ending", unended: true } });
  expect(failed.respawnAt).toBeGreaterThan(0);
  expect(isUnendable(failed)).toBe(true);
  expect(first.output.effects).toMatchObject([
    {
      effect: {
        kind: "notify",
        severity: "urgent",
        body: expect.stringContaining("Pawl cannot end its agent"),
      },
    },
  ]);
  const second = contextAt();
  const again = endAgain({ ...failed, respawnAt: undefined });
  expect(isUnendable(fail(again, end, second))).toBe(true);
  expect(second.output.effects).toEqual([]);
  expect(isUnendable(sessionEnded(again, again.session?.epoch ?? 0, contextAt()))).toBe(false);
});

test("an end of which the daemon died is tried again once a day only", () => {
  const over = testRun({ session: ending, outcome: { kind: "closed", why: "w" } });
  const failed = failWith(over, { effect: end, code: POISON });
  expect(failed.respawnAt).toBe(86_400_000);
});

test("what cannot be told to the forge, removed or saved does not keep a run from ending", () => {
  const dead = testSession({ status: "ended", verdict: "completed" });
  const run = clearAway(land(testRun({ session: dead }), HEAD, contextAt()), contextAt());
  const told = fail(run, { kind: "settle-issue" });
  expect(fail(told, { kind: "remove-workspace" }).stage.kind).toBe("ended");
  expect(fail(told, { kind: "checkpoint" }).stage.kind).toBe("ended");
});

const MERGED = commitId("merged");

test("a workspace that holds what cannot be saved stays, and a person is told which paths", () => {
  const context = contextAt();
  const session = testSession({ status: "ended", verdict: "completed" });
  const landed = land(testRun({ head: HEAD, pr: 7 }), MERGED, contextAt());
  const gone = clearAway({ ...landed, session }, contextAt());
  const kept = workspaceKept(gone, ["huge.bin"], context);
  expect(kept.stage).toMatchObject({ clearing: { workspaceGone: true } });
  expect(kept.warnings.at(-1)?.text).toContain("cannot be saved: huge.bin.");
  expect(context.output.effects).toMatchObject([
    { effect: { kind: "notify", severity: "urgent", body: kept.warnings.at(-1)?.text } },
  ]);
});

test("paths that a checkpoint does not hold are a warning, once for the same paths", () => {
  const save = (run: Run | undefined, skipped: string[]): Run | undefined => {
    const outcome = { kind: "saved", commit: MERGED, skipped } as const;
    const { output } = contextAt();
    return stepRun(run, { kind: "checkpoint-made", at: 1, outcome }, output);
  };
  const once = save(testRun(), ["pipe"]);
  const twice = save(once, ["pipe"]);
  expect(twice?.warnings.map(({ text }) => text)).toEqual([expect.stringContaining("pipe")]);
  expect(save(save(twice, []), ["pipe"])?.warnings).toHaveLength(2);
});
