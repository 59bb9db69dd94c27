import { expect, test } from "vitest";
import {
  BASE,
  HEAD,
  contextAt,
  kinds,
  stepped,
  tellKinds,
  testMessage,
  testRun,
  testSession,
  wants,
} from "../../../test/support/run.ts";
import { severalAgents } from "../../../test/support/agents.ts";
import { taskRun, testTask } from "../../../test/support/task.ts";
import { commitId } from "../ids.ts";
import { newEvidence } from "../session/evidence.ts";
import { escalate } from "./escalate.ts";
import { branchFetched, phaseObserved } from "./phase-reactions.ts";
import { needsReview, type Run } from "./run.ts";
import type { Effect, Output } from "../effect.ts";
import type { Event } from "../event.ts";

const wrote = (text: string, stamp = "s1") =>
  ({ kind: "phase-observed", at: 0, epoch: 1, stamp, text }) as const;

type Fetched = Parameters<typeof branchFetched>[1];

const fetched = (change: Partial<Fetched> = {}): Fetched => ({
  kind: "branch-fetched",
  at: 0,
  ordinal: 1,
  head: HEAD,
  ahead: 1,
  dirty: [],
  landed: false,
  ...change,
});

const claimed = (phase: "awaiting_ci" | "done", change: Partial<Run> = {}): Run =>
  testRun({
    stage: { kind: "fetching", ordinal: 1 },
    phase: { ordinal: 1, phase, reason: undefined, at: 0 },
    ...change,
  });

test.each(["awaiting_ci", "awaiting_review", "done"])(
  "PHASE:%s is a claim: the branch is fetched first",
  (phase) => {
    const run = phaseObserved(testRun(), wrote(`PHASE:${phase}\n`), contextAt());
    expect(run.stage).toEqual({ kind: "fetching", ordinal: 1 });
    expect(wants(testRun(), run).effects.map(({ key }) => key)).toEqual(["run:toy/42.1:fetch:1"]);
  },
);

test("a phase is taken in once per writing, also when the same text is written again", () => {
  const once = stepped(testRun(), wrote("PHASE:done")).run;
  expect(stepped(once, wrote("PHASE:done")).run).toBe(once);
  expect(stepped(once, wrote("PHASE:done", "s2")).run.phase?.ordinal).toBe(2);
});

test("a phase that is read again changes nothing, also when the agent's limit has ended meanwhile", () => {
  const limit = { until: 3_600_000, reason: "429" };
  const limited = testRun({
    config: severalAgents(),
    session: testSession({ evidence: { ...newEvidence(), limit }, phaseStamp: "s1" }),
    seeks: { reason: "429", denied: true },
  });
  const at = limit.until;
  expect(stepped(limited, { ...wrote("PHASE:awaiting_ci"), at }).run).toBe(limited);
  const seen = stepped(limited, { kind: "session-unseen", at, epoch: 1 }).run;
  expect(seen.seeks).toBeUndefined();
});

test("an empty file only shows that the agent is there", () => {
  const run = phaseObserved(testRun(), wrote(""), contextAt(7));
  expect([run.phase, run.session?.lastProgress]).toEqual([undefined, 7]);
});

test("nonsense is answered once until the answer is read", () => {
  const first = phaseObserved(testRun(), wrote("finished!"), contextAt());
  expect(first.messages).toMatchObject([{ kind: "notice" }]);
  expect(phaseObserved(first, wrote("ready!", "s2"), contextAt()).messages).toHaveLength(1);
});

test("writing a phase shows that the prompt was read, but proves nothing about the inbox", () => {
  const messages = [
    testMessage({ id: "m1", status: "told" }),
    testMessage({ id: "m2", status: "delivered" }),
    testMessage({ id: "m3", status: "queued", epoch: 1 }),
  ];
  const run = phaseObserved(testRun({ messages }), wrote("PHASE:awaiting_ci"), contextAt());
  expect(run.messages.map(({ status }) => status)).toEqual([
    "acknowledged",
    "unconfirmed",
    "queued",
  ]);
});

test("escalate and failed carry the agent's reason", () => {
  const asked = phaseObserved(testRun(), wrote("PHASE:escalate\nReason: which port?"), contextAt());
  expect(asked.stage).toMatchObject({ escalation: { reason: "which port?" } });
  const gaveUp = phaseObserved(testRun(), wrote("PHASE:failed\nReason: too large"), contextAt());
  expect(gaveUp.outcome).toEqual({ kind: "blocked", reason: "too large" });
  const mute = phaseObserved(testRun(), wrote("PHASE:failed"), contextAt());
  expect(mute.outcome).toMatchObject({ reason: "the agent gave up without a reason" });
});

test("a run that has an outcome hears no phase", () => {
  const run = testRun({ outcome: { kind: "closed", why: "w" } });
  expect(phaseObserved(run, wrote("PHASE:done"), contextAt())).toBe(run);
});

test("commits are published under the phase that claimed them", () => {
  const run = branchFetched(claimed("awaiting_ci"), fetched(), contextAt());
  expect(run).toMatchObject({ head: HEAD, stage: { kind: "publishing", ordinal: 1 } });
  expect(wants(claimed("awaiting_ci"), run).effects.map(({ key }) => key)).toEqual([
    `run:toy/42.1:publish:1:${HEAD}`,
  ]);
});

test("a second claim cancels the fetch of the first one", () => {
  const again = { kind: "phase-observed", at: 1, epoch: 1, stamp: "s9" } as const;
  const text = "PHASE:awaiting_ci\n";
  const run = phaseObserved(claimed("awaiting_ci"), { ...again, text }, contextAt());
  expect(run.stage).toEqual({ kind: "fetching", ordinal: 2 });
  expect(wants(claimed("awaiting_ci"), run).cancelled).toEqual(["run:toy/42.1:fetch:1"]);
});

test("the answer to an earlier claim changes nothing", () => {
  const run = claimed("awaiting_ci");
  expect(branchFetched(run, fetched({ ordinal: 9 }), contextAt())).toBe(run);
});

test("a branch without commits is said to be one, also where that counts as landed", () => {
  const nothing = fetched({ head: BASE, ahead: 0, landed: true });
  const run = branchFetched(claimed("done"), nothing, contextAt());
  expect([run.outcome, run.counts.nudges]).toEqual([undefined, 1]);
  expect(run.messages[0]?.text).toContain("has no commits of its own");
});

test("what an earlier run landed is no work for an issue that was opened again", () => {
  const again = { ...claimed("awaiting_ci"), landedHead: HEAD };
  const run = branchFetched(again, fetched({ landed: true }), contextAt());
  expect([run.head, run.counts.nudges]).toEqual([undefined, 1]);
  expect(run.messages[0]?.text).toContain("has no commits of its own");
});

test("a branch that adds more than the limit is sent back with its size and the limit", () => {
  const limits = { ...testRun().config.limits, branchMaxMb: 5 };
  const config = { ...testRun().config, limits };
  const at = (bytes: number) =>
    branchFetched(claimed("awaiting_ci", { config }), fetched({ bytes }), contextAt());
  expect(at(5_000_000).stage.kind).toBe("publishing");
  const run = at(5_100_000);
  expect([run.stage.kind, run.counts.nudges]).toEqual(["working", 1]);
  expect(run.messages[0]?.text).toContain("adds 6 MB to the repository, and at most 5 MB");
});

test("a branch that lost its commits is taken out of the queue", () => {
  const context = contextAt();
  const queued = claimed("awaiting_ci", {
    head: HEAD,
    stage: { kind: "queued", head: HEAD, fetch: 1 },
  });
  const run = branchFetched(queued, fetched({ head: BASE, ahead: 0 }), context);
  expect(run.stage.kind).toBe("working");
  expect(tellKinds(context.output)).toEqual(["entry-withdrawn"]);
});

test("asking for CI without commits again and again is put before a person", () => {
  const counts = { ...testRun().counts, nudges: 2 };
  const run = branchFetched(claimed("awaiting_ci", { counts }), fetched({ ahead: 0 }), contextAt());
  expect(run.stage.kind).toBe("escalated");
});

test("done is believed only of a head that was seen with commits of its own", () => {
  const landed = fetched({ ahead: 0, landed: true });
  expect(branchFetched(claimed("done", { head: HEAD }), landed, contextAt()).outcome?.kind).toBe(
    "landed",
  );
  const unseen = branchFetched(claimed("done"), fetched({ landed: true }), contextAt());
  expect([unseen.outcome, unseen.stage.kind]).toEqual([undefined, "publishing"]);
});

test("done without a landing is said once, and treated as awaiting_ci", () => {
  const run = branchFetched(claimed("done"), fetched(), contextAt());
  expect(run.messages).toMatchObject([{ kind: "not-merged" }]);
  const again: Run = { ...run, stage: { kind: "fetching", ordinal: 2 } };
  expect(branchFetched(again, fetched({ ordinal: 2 }), contextAt()).messages).toHaveLength(1);
});

test("the head that is in hand already is not published again", () => {
  const queued = claimed("awaiting_ci", {
    head: HEAD,
    stage: { kind: "queued", head: HEAD, fetch: 1 },
  });
  const run = branchFetched(queued, fetched(), contextAt());
  expect(run.stage).toEqual({ kind: "queued", head: HEAD });
  expect(kinds(wants(queued, run))).toEqual([]);
});

test("the same head is checked again where it is the agent's turn", () => {
  const known = claimed("awaiting_ci", { head: HEAD });
  const run = branchFetched(known, fetched(), contextAt());
  expect(kinds(wants(known, run))).toEqual(["publish-branch"]);
});

test("a new head cancels what is done for the old one", () => {
  const stage = { kind: "checking", head: HEAD, key: "k", deadline: undefined, fetch: 1 } as const;
  const run = claimed("awaiting_ci", { head: HEAD, stage });
  const next = branchFetched(run, fetched({ head: commitId("aaa2") }), contextAt());
  expect(wants(run, next).cancelled).toContain("k");
});

const landed = (): Run["stage"] => ({
  kind: "landed",
  commit: HEAD,
  exitBy: 60_000,
  clearing: { issueSettled: true, sessionGone: false, workspaceGone: false },
});

test("an agent that says it is done once its work has landed need not wait to be ended", () => {
  const context = contextAt();
  const run = testRun({ stage: landed(), outcome: { kind: "landed", commit: HEAD } });
  const ended = phaseObserved(run, wrote("PHASE:done\n"), context);
  expect(ended.session).toMatchObject({ status: "ending", verdict: "completed" });
  expect(phaseObserved(run, wrote("PHASE:awaiting_ci\n"), contextAt())).toBe(run);
  const held: Run = { ...run, held: { by: "ann", at: 0 } };
  expect(phaseObserved(held, wrote("PHASE:done\n"), contextAt())).toBe(held);
});

test("waiting for a review that has come already asks for nothing: it was written before that was read", () => {
  const review = {
    id: "r1",
    author: "bob",
    head: HEAD,
    verdict: "request-changes",
    body: "b",
    createdAt: 0,
    dismissed: false,
  } as const;
  const phase = { ordinal: 1, phase: "awaiting_review", reason: undefined, at: 0 } as const;
  const stage = { kind: "fetching", ordinal: 1 } as const;
  const back = testRun({ phase, head: HEAD, review, reviewTold: "r1", stage });
  const told = branchFetched(back, fetched(), contextAt());
  expect(told.stage.kind).toBe("working");
  expect(kinds(wants(back, told))).toEqual([]);
  const fixed = branchFetched(back, fetched({ head: commitId("new") }), contextAt());
  expect(fixed.stage.kind).toBe("publishing");
  const other: Run = { ...back, review: { ...review, head: BASE } };
  expect(branchFetched(other, fetched(), contextAt()).stage.kind).toBe("publishing");
  const { reviewTold: _told, ...untold } = back;
  expect(branchFetched(untold, fetched(), contextAt()).stage.kind).toBe("publishing");
  // A question about a host leaves the work with the agent.
  const { stage: raised } = escalate(testRun(), { reason: "refused", host: "a.test" }, contextAt());
  const asked = { ...back, stage: { ...raised, fetch: 1 } } as Run;
  expect(branchFetched(asked, fetched(), contextAt()).stage.kind).toBe("escalated");
});

const settled = ({ effects }: Output): Effect | undefined =>
  effects.find(({ effect }) => effect.kind === "settle-issue")?.effect;

const failed = (reason: string, result?: object): Event => ({
  kind: "phase-observed",
  at: 0,
  epoch: 1,
  stamp: "s1",
  text: `PHASE:failed\nReason: ${reason}\n`,
  ...(result === undefined ? {} : { result: { kind: "text", text: JSON.stringify(result) } }),
});

test("an issue that is too large goes back to be described better", () => {
  const { run, output } = stepped(
    testRun(),
    failed("refused", { kind: "too_large", reason: "3 features" }),
  );
  expect(run.outcome).toEqual({ kind: "refused", why: "too large: 3 features", blockedBy: [] });
  expect(settled(output)).toMatchObject({
    kind: "settle-issue",
    close: false,
    addLabels: ["underspecified"],
    removeLabels: ["backlog", "in-progress"],
    comment: expect.stringContaining("3 features"),
  });
  expect(kinds(output)).not.toContain("notify");
});

test("an issue that waits for another is put back, and the project hears for which", () => {
  const { run, output } = stepped(testRun(), failed("unmet_dependency: #7"));
  expect(settled(output)).toMatchObject({ addLabels: ["backlog"], close: false });
  expect(run.outcome).toMatchObject({ kind: "refused", blockedBy: [7] });
});

test("an issue that is done already is closed, and its PR with it", () => {
  const { output } = stepped(testRun({ pr: 9 }), failed("already_done"));
  expect(settled(output)).toMatchObject({
    close: true,
    pr: { number: 9, mergedAs: undefined },
  });
});

test("an agent that only says that it refuses has failed", () => {
  expect(stepped(testRun(), failed("refused")).run.outcome?.kind).toBe("blocked");
});

test("an issue never waits for itself", () => {
  const both = stepped(testRun(), failed("unmet_dependency: #42, #7")).run;
  expect(both.outcome).toMatchObject({ kind: "refused", blockedBy: [7] });
  expect(stepped(testRun(), failed("unmet_dependency: #42")).run.outcome?.kind).toBe("blocked");
});

test("what it was put back for before is no reason a second time", () => {
  const run = testRun({ refusedFor: [7] });
  const again = stepped(run, failed("unmet_dependency: #7")).run;
  expect(again.outcome).toEqual({ kind: "blocked", reason: "refused again: waits for #7" });
  expect(stepped(run, failed("unmet_dependency: #7 #8")).run.outcome).toMatchObject({
    blockedBy: [8],
  });
});

const keeping = (...files: string[]): Run => ({
  ...taskRun({}, { ...testTask(), output: "branch", files }),
  stage: { kind: "fetching", ordinal: 1 },
  phase: { ordinal: 1, phase: "done", reason: undefined, at: 0 },
});

test("a branch of such a task whose files cannot all be listed is sent back", () => {
  const paths = ["planner/MEMORY.md"];
  const back = branchFetched(
    keeping("planner/**"),
    fetched({ paths, unlisted: true }),
    contextAt(),
  );
  expect([back.stage.kind, back.messages.at(-1)?.text]).toMatchObject([
    "working",
    expect.stringContaining("cannot all be listed"),
  ]);
});

test.each([
  ["AGENTS.md", true],
  ["planner/robot.md", true],
  ["planner/MEMORY.md", false],
])("a branch of such a task that changes %s must be reviewed: %s", (path, must) => {
  const run = keeping("AGENTS.md", "planner/**");
  run.config = { ...run.config, review: { required: true, instructions: ["ROBOT.md"] } };
  const next = branchFetched(run, fetched({ paths: [path] }), contextAt());
  expect([next.stage.kind, needsReview(next)]).toEqual(["publishing", must]);
  const again = { ...next, stage: { kind: "fetching", ordinal: 1 } as const };
  const own = fetched({ paths: ["planner/MEMORY.md"], head: commitId("e".repeat(40)) });
  expect(needsReview(branchFetched(again, own, contextAt()))).toBe(false);
});

test("a branch of a task that may change only its own files is sent back with the others", () => {
  const run = keeping("planner/**");
  const paths = ["planner/MEMORY.md", "src/main.ts"];
  const back = branchFetched(run, fetched({ paths }), contextAt());
  expect([back.stage.kind, back.messages.at(-1)?.text]).toMatchObject([
    "working",
    expect.stringContaining("may not change: src/main.ts"),
  ]);
  const own = branchFetched(run, fetched({ paths: ["planner/MEMORY.md"] }), contextAt());
  expect(own.stage.kind).toBe("publishing");
});
