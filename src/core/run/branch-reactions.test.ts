import { expect, test } from "vitest";
import { passed, red } from "../../../test/support/outcomes.ts";
import {
  HEAD,
  contextAt,
  kinds,
  stepped,
  tellKinds,
  testRun,
  wants,
} from "../../../test/support/run.ts";
import type { CheckOutcome } from "../check.ts";
import { commitId, treeId } from "../ids.ts";
import {
  branchPublished,
  branchOvertaken,
  checkStarted,
  checkFinished,
  checkConflicted,
  checkOverdue,
  reviewsObserved,
  reviewOverdue,
  enqueue,
  keepPlace,
  entryReturned,
  entryLanded,
} from "./branch-reactions.ts";
import { escalate } from "./escalate.ts";
import type { Event } from "../event.ts";
import type { Run, Work } from "./run.ts";
import type { ReviewFacts } from "../review.ts";
import type { ReturnReason } from "../merge-queue/queue.ts";

const checking = (change: Partial<Run> = {}): Run =>
  testRun({
    head: HEAD,
    stage: { kind: "checking", head: HEAD, key: "k", deadline: undefined },
    ...change,
  });

const finished = (outcome: CheckOutcome, head = HEAD) =>
  ({ kind: "check-finished", at: 0, head, tree: treeId("t"), outcome }) as const;

const infra: CheckOutcome = { kind: "infra", tree: treeId("t"), message: "disk full", logTail: "" };

const reviewed = (run: Run): Run => ({
  ...run,
  config: { ...run.config, review: { required: true } },
});

test("a published branch is checked, and its PR remembered", () => {
  const publishing = testRun({ stage: { kind: "publishing", head: HEAD } });
  const event = { kind: "branch-published", at: 0, head: HEAD, pr: 7 } as const;
  const run = branchPublished(publishing, event);
  expect(run).toMatchObject({ pr: 7, stage: { kind: "checking", head: HEAD } });
  expect(kinds(wants(publishing, run))).toEqual(["check-branch"]);
});

test("what is said of another head than the one that waits changes nothing", () => {
  const other = commitId("old1");
  const run = checking();
  const context = contextAt();
  expect(checkFinished(run, finished(passed(), other), context)).toBe(run);
  expect(checkStarted(run, { kind: "check-started", at: 0, head: other }, context)).toBe(run);
  const conflicted = { at: 0, head: other, target: HEAD, files: [] };
  expect(checkConflicted(run, { kind: "check-conflicted", ...conflicted }, context)).toBe(run);
  const published = { kind: "branch-published", at: 0, head: other, pr: 7 } as const;
  expect(branchPublished(run, published)).toBe(run);
});

test("the time of a check counts from its start", () => {
  const run = checkStarted(checking(), { kind: "check-started", at: 5, head: HEAD }, contextAt(5));
  expect(run.stage).toMatchObject({ deadline: 5 + run.config.limits.ciTimeoutMs });
});

test("a green check goes to the merge queue, or to the reviewers where they are required", () => {
  const context = contextAt();
  expect(checkFinished(checking(), finished(passed()), context).stage.kind).toBe("queued");
  expect(tellKinds(context.output)).toEqual(["entry-requested"]);
  const run = checkFinished(reviewed(checking()), finished(passed()), contextAt(5));
  expect(run.stage).toMatchObject({
    kind: "reviewing",
    deadline: 5 + run.config.limits.reviewTimeoutMs,
  });
});

test("a review that came while CI was running counts", () => {
  const review = {
    id: "r1",
    author: "ada",
    head: HEAD,
    verdict: "approve",
    body: "",
    createdAt: 0,
    dismissed: false,
  } as const;
  const run = checkFinished(reviewed(checking({ review })), finished(passed()), contextAt());
  expect(run.stage.kind).toBe("queued");
});

test("a red check costs a fix and tells which of how many", () => {
  const run = checkFinished(checking(), finished(red()), contextAt());
  expect([run.stage.kind, run.counts.ciFixes]).toEqual(["working", 1]);
  expect(run.messages[0]?.text).toContain("CI failed (fix 1 of 3).");
});

test("a red check without fixes left blocks the issue", () => {
  const counts = { ...checking().counts, ciFixes: 3 };
  const run = checkFinished(checking({ counts }), finished(red()), contextAt());
  expect(run.outcome).toEqual({
    kind: "blocked",
    reason: "CI still fails after 3 fixes (test)",
  });
});

test("CI infrastructure that failed is tried once more under another key, and costs no fix", () => {
  const run = checkFinished(checking(), finished(infra), contextAt());
  expect(run.counts).toMatchObject({ infraRetries: 1, ciFixes: 0 });
  expect(wants(checking(), run).effects[0]?.key).toBe(`run:toy/42.1:check:${HEAD}:2:0`);
  const escalated = checkFinished(run, finished(infra), contextAt());
  expect(escalated.stage).toMatchObject({
    kind: "escalated",
    escalation: { reason: "CI could not run: disk full", again: { effect: { head: HEAD } } },
  });
});

test("the mark of a check says where its result was known", () => {
  const run = checking({ stages: [{ kind: "checking", at: 1 }] });
  const known = checkFinished(run, finished({ ...red(), remembered: true }), contextAt());
  expect(known.stages?.at(0)).toEqual({ kind: "checking", at: 1, remembered: true });
  expect(checkFinished(run, finished(red()), contextAt()).stages).toBe(run.stages);
});

test("a check that ran resets the count of infrastructure failures", () => {
  const counts = { ...checking().counts, infraRetries: 1 };
  expect(
    checkFinished(checking({ counts }), finished(red()), contextAt()).counts.infraRetries,
  ).toBe(0);
});

test("a branch that does not go onto the target is sent back before CI is spent", () => {
  const at = { at: 0, head: HEAD, target: HEAD, files: ["a.txt"] };
  const event = { kind: "check-conflicted" as const, ...at };
  const run = checkConflicted(checking(), event, contextAt());
  expect([run.stage.kind, run.counts.conflicts]).toEqual(["working", 1]);
});

test("a check that is overdue is given up, and can be asked for again", () => {
  const run = checkOverdue(checking(), HEAD, contextAt());
  expect(run.stage).toMatchObject({ escalation: { again: { effect: { kind: "check-branch" } } } });
  expect(wants(checking(), run).cancelled).toEqual(["k"]);
  expect(run.messages[0]?.kind).toBe("ci-timeout");
});

test("another writer's push goes to the agent, three times; then a person is asked", () => {
  const theirs = commitId("bbb2");
  const event = {
    kind: "branch-overtaken",
    at: 0,
    head: HEAD,
    theirs,
    log: "bbb2 Bob: x",
  } as const;
  let run = testRun({ stage: { kind: "publishing", head: HEAD } });
  const context = contextAt();
  run = branchOvertaken(run, event, context);
  expect(run).toMatchObject({ stage: { kind: "working" }, counts: { conflicts: 1 } });
  expect(run.messages.at(-1)).toMatchObject({
    kind: "conflict",
    text: expect.stringContaining("git merge bbb2"),
  });
  expect(branchOvertaken(run, event, context)).toBe(run);
  const counts = { ...run.counts, conflicts: run.config.limits.conflictsMax };
  const again: Run = { ...run, counts, stage: { kind: "publishing", head: HEAD } };
  const asked = branchOvertaken(again, event, contextAt());
  expect(asked.stage.kind).toBe("escalated");
  // It knows what to merge, for every answer of the person.
  expect(asked.messages).toHaveLength(2);
});

const reviewing = (change: Partial<Run> = {}): Run =>
  testRun({ head: HEAD, stage: { kind: "reviewing", head: HEAD, deadline: 9 }, ...change });

const review = (change: Partial<ReviewFacts> = {}): ReviewFacts => ({
  id: "r1",
  author: "ada",
  head: HEAD,
  verdict: "approve",
  body: "Name it better.",
  createdAt: 0,
  dismissed: false,
  ...change,
});

test("an approval brings the branch into the merge queue, and the agent hears of it", () => {
  const context = contextAt();
  const run = reviewsObserved(reviewing(), [review()], context);
  expect(run.stage).toEqual({ kind: "queued", head: HEAD });
  expect(tellKinds(context.output)).toEqual(["entry-requested"]);
  expect(run.messages[0]?.text).toContain("Approved by ada");
});

test.each(["request-changes", "discuss"] as const)(
  "the text of a review that says %s goes to the agent",
  (verdict) => {
    const run = reviewsObserved(reviewing(), [review({ verdict })], contextAt());
    expect([run.stage.kind, run.counts.reviewRounds]).toEqual(["working", 1]);
    expect(run.messages[0]?.text).toContain("Name it better.");
  },
);

test("changes after the last round block the issue", () => {
  const counts = { ...reviewing().counts, reviewRounds: 5 };
  const run = reviewsObserved(
    reviewing({ counts }),
    [review({ verdict: "request-changes" })],
    contextAt(),
  );
  expect(run.outcome).toMatchObject({ kind: "blocked" });
});

test("the same review seen again, or one of another head, changes nothing", () => {
  const run = reviewing({ review: review() });
  expect(reviewsObserved(run, [review()], contextAt())).toBe(run);
  expect(reviewsObserved(run, [review({ id: "r2", head: commitId("old1") })], contextAt())).toBe(
    run,
  );
});

test("a review is remembered before the run waits for it", () => {
  const run = reviewsObserved(reviewing({ stage: { kind: "working" } }), [review()], contextAt());
  expect([run.stage.kind, run.review?.id]).toEqual(["working", "r1"]);
});

test("an overdue review is put before a person, and a late one answers", () => {
  const asked = reviewOverdue(reviewing(), HEAD, contextAt());
  expect(asked.stage.kind).toBe("escalated");
  expect(asked.messages[0]?.kind).toBe("review-timeout");
  expect(reviewsObserved(asked, [review()], contextAt()).stage.kind).toBe("queued");
});

test("a review that was dismissed no longer counts", () => {
  const changes = review({ verdict: "request-changes" });
  const back = reviewsObserved(reviewing(), [changes], contextAt());
  const other = review({ id: "r0", head: commitId("old1") });
  expect(reviewsObserved(back, [other], contextAt())).toBe(back);
  const run = reviewsObserved(back, [{ ...changes, dismissed: true }], contextAt());
  expect([run.stage.kind, run.review]).toEqual(["working", undefined]);
  expect(reviewsObserved(run, [{ ...changes, dismissed: true }], contextAt())).toBe(run);
});

test("a review that came while a person was asked is told when the agent waits for one again", () => {
  const config = { ...testRun().config, review: { required: true } };
  const asked = escalate(reviewing({ pr: 7, config }), { reason: "crashed" }, contextAt());
  const changes = review({ verdict: "request-changes" });
  let run = reviewsObserved(asked, [changes], contextAt());
  expect([run.stage.kind, run.review?.id]).toEqual(["escalated", "r1"]);
  const happen = (event: Event): void => void (run = stepped(run, event).run);
  happen({ kind: "escalation-answered", at: 1, by: "ada", text: "go on" });
  const text = "PHASE:awaiting_review\n";
  const fetched = { head: HEAD, ahead: 1, dirty: [], landed: false };
  const waits = (stamp: string): void => {
    happen({ kind: "phase-observed", at: 2, epoch: 1, stamp, text });
    happen({ kind: "branch-fetched", at: 3, ordinal: run.phase!.ordinal, ...fetched });
  };
  waits("s1");
  happen({ kind: "branch-published", at: 4, head: HEAD, pr: 7 });
  const checked = { head: HEAD, tree: treeId("t"), outcome: passed() };
  happen({ kind: "check-finished", at: 5, ...checked });
  expect([run.stage.kind, run.counts.reviewRounds]).toEqual(["working", 1]);
  expect(run.messages.at(-1)?.text).toContain("Name it better.");
  // The same once more was written before that was read.
  waits("s2");
  expect(run.stage.kind).toBe("working");
});

const queued = (change: Partial<Run> = {}): Run =>
  testRun({ head: HEAD, stage: { kind: "queued", head: HEAD }, ...change });

const conflict: ReturnReason = { kind: "conflict", files: ["a.txt"] };
const returned = (reason: ReturnReason, head = HEAD) =>
  ({ kind: "entry-returned", at: 0, head, reason }) as const;

test("an entry carries what the queue needs, with the issue's priority", () => {
  const context = contextAt();
  const { work } = testRun();
  enqueue(testRun({ work: { ...work, labels: ["priority"] } as Work, pr: 7 }), HEAD, context);
  expect(context.output.tells).toMatchObject([
    { to: "queue:toy", event: { entry: { run: "42.1", head: HEAD, pr: 7, priority: 1 } } },
  ]);
  expect(context.output.signals).toMatchObject([{ kind: "MERGE_READY" }]);
});

test.each(["stopped", "held"] as const)(
  "a run that is %s leaves the queue, and comes back when it goes on",
  (word) => {
    const out = contextAt();
    const left = keepPlace(queued({ [word]: { by: "ada", at: 0 } }), out);
    expect([left.stage, tellKinds(out.output)]).toEqual([
      { kind: "queued", head: HEAD, out: true },
      ["entry-withdrawn"],
    ]);
    expect(keepPlace(left, contextAt())).toBe(left);
    const back = contextAt();
    expect(keepPlace({ ...left, [word]: undefined }, back)).toEqual(queued({ [word]: undefined }));
    expect(tellKinds(back.output)).toEqual(["entry-requested"]);
  },
);

test("a run that is stopped while it is checked waits outside the queue", () => {
  const context = contextAt();
  const run = enqueue(testRun({ stopped: { by: "ada", at: 0 } }), HEAD, context);
  expect([run.stage.kind, tellKinds(context.output)]).toEqual(["queued", []]);
});

test("a conflict goes back to the author with the files", () => {
  const run = entryReturned(queued(), returned(conflict), contextAt());
  expect([run.stage.kind, run.counts.conflicts]).toEqual(["working", 1]);
  expect(run.messages[0]?.text).toContain("- a.txt");
});

test("a red combination goes back with its output", () => {
  const run = entryReturned(queued(), returned({ kind: "tests", outcome: red() }), contextAt());
  expect(run.messages[0]).toMatchObject({ kind: "tests-failed" });
});

test("another writer's push to its branch goes back to the agent to be merged", () => {
  const overtaken = { kind: "overtaken", theirs: commitId("bbb2"), log: "bbb2 Bob: x" } as const;
  const run = entryReturned(queued(), returned(overtaken), contextAt());
  expect(run.messages[0]).toMatchObject({ kind: "conflict" });
  expect(run.messages[0]?.text).toContain("git merge bbb2");
});

test("what comes back too often is put before a person, with the reason", () => {
  const counts = { ...queued().counts, conflicts: 3 };
  const run = entryReturned(queued({ counts }), returned(conflict), contextAt());
  expect(run.stage).toMatchObject({
    escalation: { reason: "sent back 4 times by the merge queue: conflicts in a.txt" },
  });
});

test("an entry that is held is put before a person and costs nothing", () => {
  const run = entryReturned(queued(), returned({ kind: "held", why: "nothing new" }), contextAt());
  expect(run.stage).toMatchObject({ escalation: { reason: "nothing new" } });
  expect(run.counts.conflicts).toBe(0);
});

test("the return of an older head changes nothing", () => {
  const run = queued();
  expect(entryReturned(run, returned(conflict, commitId("old1")), contextAt())).toBe(run);
});

test("a landing ends the run, also where the agent has given up on it meanwhile", () => {
  const event = { kind: "entry-landed", at: 0, commit: commitId("m"), head: HEAD } as const;
  expect(entryLanded(queued(), event, contextAt()).outcome).toEqual({
    kind: "landed",
    commit: "m",
  });
  const working = queued({ stage: { kind: "working" } });
  expect(entryLanded(working, event, contextAt()).outcome?.kind).toBe("landed");
});

test("what the agent announced just before the landing lands as well", () => {
  const landed = { kind: "entry-landed", at: 0, commit: commitId("m"), head: HEAD } as const;
  const fetch = queued({ stage: { kind: "queued", head: HEAD, fetch: 2 } });
  const { run, output } = stepped(fetch, landed);
  expect([run.outcome, run.stage]).toEqual([undefined, { kind: "fetching", ordinal: 2 }]);
  expect(output.cancelled).toEqual([]);
  // The forge closes the issue with the landing: that ends nothing before the branch is read.
  const seen = stepped(run, { kind: "issue-observed", at: 1, state: "closed", labels: [] }).run;
  const fetched = { kind: "branch-fetched", at: 2, ordinal: 2, ahead: 1 } as const;
  const same = stepped(seen, { ...fetched, dirty: [], head: HEAD, landed: true }).run;
  expect(same.outcome).toEqual({ kind: "landed", commit: "m" });
  const more = stepped(seen, { ...fetched, dirty: [], head: commitId("new1"), landed: false }).run;
  expect([more.outcome, more.stage]).toMatchObject([
    undefined,
    { kind: "publishing", head: "new1" },
  ]);
  // The next look still sees it closed by the first landing: what follows lands all the same.
  const later = stepped(more, { kind: "issue-observed", at: 3, state: "closed", labels: [] }).run;
  expect(later.stage).toEqual(more.stage);
  // An agent that announces more with every message would land for ever.
  const next = { ...later, stage: { ...fetch.stage, head: commitId("new1") } } as Run;
  const again = stepped(next, { ...landed, head: commitId("new1") }).run;
  expect(again.outcome).toEqual({ kind: "landed", commit: "m" });
});

test("the landing of an older head does not end a run that has gone on", () => {
  const event = {
    kind: "entry-landed",
    at: 0,
    commit: commitId("m"),
    head: commitId("old1"),
  } as const;
  const run = entryLanded(queued(), event, contextAt());
  expect([run.outcome, run.warnings.length]).toEqual([undefined, 1]);
});

test("a landing that succeeds after the issue was closed is told to the project", () => {
  const event = { kind: "entry-landed", at: 3, commit: commitId("m"), head: HEAD } as const;
  const closed = queued({ outcome: { kind: "closed", why: "closed" }, stage: { kind: "ended" } });
  const context = contextAt();
  expect(entryLanded(closed, event, context)).toBe(closed);
  expect(context.output.tells).toEqual([
    { to: "project:toy", event: { kind: "head-landed", at: 3, issue: 42, head: HEAD } },
  ]);
});
