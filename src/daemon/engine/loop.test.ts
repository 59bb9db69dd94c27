import { expect, test } from "vitest";
import { PROJECT, testRun } from "../../../test/support/run.ts";
import {
  actionAggregate,
  projectAggregate,
  runAggregate,
  runId,
  type AggregateId,
} from "../../core/ids.ts";
import type { Event } from "../../core/event.ts";
import type { Project } from "../../core/project/project.ts";
import { noCrash } from "../../lib/crash-point.ts";
import { OperationError } from "../../lib/operation-error.ts";
import { createMemoryStore } from "../../store/memory.ts";
import { createLoop, type Committed, type Input } from "./loop.ts";

const ONE = runAggregate(PROJECT, runId("1.1"));
const TWO = runAggregate(PROJECT, runId("2.1"));

async function world() {
  const store = createMemoryStore();
  await store.transaction(async (tx) => {
    for (const id of [ONE, TWO]) await tx.save(id, testRun(), undefined);
  });
  const commits: Committed[] = [];
  const loop = createLoop({ store, crash: noCrash, onCommitted: (one) => void commits.push(one) });
  const lastSeen = async (id: AggregateId): Promise<number | undefined> => {
    const state = (await store.load(id))?.state;
    return state?.kind === "run" ? state.session?.lastSeen : undefined;
  };
  const submitEach = (inputs: readonly Input[]): Promise<boolean>[] =>
    inputs.map((input) => loop.submit(input));
  return { store, loop, commits, lastSeen, submitEach };
}

const seen = (to: AggregateId, at: number) =>
  ({ to, event: { kind: "session-seen", at, epoch: 1, attached: false } }) as const;

test("events that are submitted together are one commit, in order", async () => {
  const { loop, commits, lastSeen } = await world();
  await loop.submitAll([seen(ONE, 10), seen(TWO, 20), seen(ONE, 30)]);
  expect(await Promise.all([lastSeen(ONE), lastSeen(TWO)])).toEqual([30, 20]);
  expect(commits.map(({ changed }) => changed.map(({ id }) => id))).toEqual([[TWO, ONE]]);
});

test("where one of them cannot be applied, nothing of the others is written", async () => {
  const { store, loop, commits, lastSeen } = await world();
  const broken = { kind: "queue", project: PROJECT } as never;
  await store.transaction((tx) => tx.save(TWO, broken, undefined));
  await expect(loop.submitAll([seen(ONE, 10), seen(TWO, 20)])).rejects.toThrow("to be stepped");
  expect(await lastSeen(ONE)).toBe(0);
  expect(commits).toEqual([]);
});

test("what is written with events is in their transaction: where that fails, none of them is", async () => {
  const { store, loop, lastSeen } = await world();
  const full = async (): Promise<void> => {
    throw new OperationError("the disk is full", { code: "store-full" });
  };
  await expect(loop.submitWith([seen(ONE, 10)], full)).rejects.toThrow("the disk is full");
  expect(await lastSeen(ONE)).toBe(0);
  await loop.submitWith([seen(ONE, 10)], (tx) => tx.records.put("a", "b", 1));
  expect([await lastSeen(ONE), (await store.records.get("a", "b"))?.value]).toEqual([10, 1]);
});

test("events that different callers submit at the same moment share one commit, in order", async () => {
  const { submitEach, commits, lastSeen } = await world();
  const taken = await Promise.all(submitEach([seen(ONE, 10), seen(TWO, 20), seen(ONE, 30)]));
  expect(taken).toEqual([true, true, true]);
  expect(await Promise.all([lastSeen(ONE), lastSeen(TWO)])).toEqual([30, 20]);
  expect(commits).toHaveLength(1);
});

test("of events that share a commit, each caller hears whether its own was taken in", async () => {
  const { submitEach, commits } = await world();
  const once = { ...seen(ONE, 10), key: "once" };
  expect(await Promise.all(submitEach([once, once, seen(TWO, 20)]))).toEqual([true, false, true]);
  expect(commits).toHaveLength(1);
});

test("one that cannot be applied, by a bug, keeps none of those that share its commit from the journal", async () => {
  const { store, submitEach, lastSeen } = await world();
  const broken = { kind: "queue", project: PROJECT } as never;
  await store.transaction((tx) => tx.save(TWO, broken, undefined));
  const [one, two, three] = await Promise.allSettled(
    submitEach([seen(ONE, 10), seen(TWO, 20), seen(ONE, 30)]),
  );
  expect([one?.status, two?.status, three?.status]).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(await lastSeen(ONE)).toBe(30);
});

test("where the journal cannot be written, all that wait for it hear so, and the next ones are written", async () => {
  const { store, loop, submitEach, lastSeen } = await world();
  const transaction = store.transaction.bind(store);
  const full = new OperationError("the disk is full", { code: "store-full" });
  store.transaction = () => Promise.reject(full);
  const failed = await Promise.allSettled(submitEach([seen(ONE, 10), seen(TWO, 20)]));
  expect(failed).toEqual([1, 2].map(() => ({ status: "rejected", reason: full })));
  store.transaction = transaction;
  await loop.submit(seen(ONE, 30));
  expect(await lastSeen(ONE)).toBe(30);
});

test("an effect whose outcome is committed makes room for another one of the same key", async () => {
  const { store, loop, commits } = await world();
  const effect = { kind: "unlink-phase" } as never;
  await store.transaction((tx) => tx.enqueue({ key: "k", aggregate: ONE, lane: "k", effect }));
  await loop.submit({ ...seen(ONE, 10), settles: "k" });
  expect(commits[0]?.cancelled).toContain("k");
  expect(await store.outbox()).toEqual([]);
});

test("nothing to submit writes nothing", async () => {
  const { loop, commits } = await world();
  await loop.submitAll([]);
  expect(commits).toEqual([]);
});

const said = (stamp: string, phase: string) =>
  ({
    to: ONE,
    event: { kind: "phase-observed", at: 0, epoch: 1, stamp, text: `PHASE:${phase}\n` },
  }) as const;

test("an effect that is wanted and cancelled in one commit is never begun", async () => {
  const { store, loop, commits } = await world();
  await loop.submitAll([said("s1", "awaiting_ci"), said("s2", "escalate")]);
  const fetches = commits[0]?.effects.filter(({ effect }) => effect.kind === "fetch-branch");
  expect(fetches).toEqual([]);
  expect((await store.outbox()).map(({ effect }) => effect.kind)).toEqual(["notify"]);
});

const FETCH = "run:toy/42.1:fetch:1";

/** The fetch has failed for good. */
const failed = (): Input => {
  const effect = { kind: "fetch-branch", identity: "dev-42", branch: "b", ordinal: 1 } as const;
  const obligation = { key: FETCH, lane: "run:toy/42.1:git", effect };
  const about = { obligation, code: "git", message: "no git" };
  return { to: ONE, event: { kind: "effect-failed", at: 0, failed: about }, settles: FETCH };
};

test("an effect that is wanted and settled in one commit is never begun", async () => {
  const { store, submitEach, commits } = await world();
  const stopped: Input = { to: ONE, event: { kind: "run-stopped", at: 0, by: "ada" } };
  const outcome = { kind: "absent" } as const;
  const saved: Input = {
    to: ONE,
    event: { kind: "checkpoint-made", at: 0, outcome },
    settles: "run:toy/42.1:checkpoint:end:1",
  };
  expect(await Promise.all(submitEach([stopped, saved]))).toEqual([true, true]);
  expect(commits).toHaveLength(1);
  // The run itself has not taken it back: it stands for it until its session has ended.
  expect(commits[0]?.effects.map(({ effect }) => effect.kind)).toEqual(["end-session"]);
  expect((await store.outbox()).map(({ effect }) => effect.kind)).toEqual(["end-session"]);
});

test("an effect that is wanted again after it was settled in the same commit is begun once", async () => {
  const { store, submitEach, commits } = await world();
  const retried: Input = { to: ONE, event: { kind: "run-retried", at: 0, by: "ada" } };
  await Promise.all(submitEach([said("s1", "awaiting_ci"), failed(), retried]));
  const fetches = commits.flatMap(({ effects }) => effects.filter(({ key }) => key === FETCH));
  expect([commits.length, fetches.length]).toEqual([1, 1]);
  expect((await store.outbox()).map(({ key }) => key)).toContain(FETCH);
});

test("an event from which thousands of facts follow is taken in whole", async () => {
  const { store, loop } = await world();
  const { project } = testRun();
  const labels = ["action"];
  const issues = Array.from({ length: 3_000 }, (_, index) => ({
    number: index + 1,
    title: "t",
    labels,
    createdAt: 0,
    unmet: [],
  }));
  const to = projectAggregate(project);
  const state = { kind: "project", name: project, backlog: issues, tasks: [], active: [] };
  await store.transaction(async (tx) => {
    await tx.save(to, state as unknown as Project, undefined);
    for (const { number: issue } of issues) {
      const action = { kind: "action", project, issue, title: "t", attempt: 1 } as const;
      const stage = { kind: "beginning" } as const;
      await tx.save(actionAggregate(project, issue), { ...action, stage }, undefined);
    }
  });
  // All of them were closed by a person.
  const gone = issues.map(({ number }) => number);
  const event: Event = { kind: "issues-observed", at: 1, issues: [], gone };
  expect(await loop.submit({ to, event })).toBe(true);
  const left = (await store.aggregates({ kind: "action" })).filter(
    ({ state }) => state.kind === "action" && state.stage.kind === "beginning",
  );
  expect(left).toEqual([]);
});
