import { expect, test } from "vitest";
import { red } from "../../../test/support/outcomes.ts";
import { HEAD, contextAt, tellKinds, testRun } from "../../../test/support/run.ts";
import { commitId } from "../ids.ts";
import type { ReturnReason } from "../merge-queue/queue.ts";
import { enqueue, keepPlace, entryReturned, entryLanded } from "./queue-reactions.ts";
import type { Run } from "./run.ts";
import type { Work } from "./work.ts";

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
