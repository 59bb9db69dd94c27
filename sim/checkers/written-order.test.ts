// Events of many callers share a transaction: a checker reads it in the order in which it was written.
import { expect, test } from "vitest";
import type { Effect } from "../../src/core/effect.ts";
import type { Event } from "../../src/core/event.ts";
import {
  commitId,
  patrolAggregate,
  projectAggregate,
  queueAggregate,
  projectName,
  runAggregate,
  runId,
  vaultAggregate,
  type AggregateId,
} from "../../src/core/ids.ts";
import type { Run } from "../../src/core/run/run.ts";
import type { AggregateState } from "../../src/core/step.ts";
import type { Transaction } from "../../src/ports/store.ts";
import { testConfig } from "../../test/support/config.ts";
import { escalated, testRun } from "../../test/support/run.ts";
import { filed, toy, VaultWorld } from "../../test/support/vault.ts";
import type { Fact } from "../fact.ts";
import { Life } from "../life.ts";
import { optionsFrom } from "../options.ts";
import { World, type Process } from "../world.ts";
import type { Checker } from "./checker.ts";
import { endsInTime } from "./ends-in-time.ts";
import { grounded } from "./grounded.ts";
import { orphans } from "./orphans.ts";
import { questions } from "./questions.ts";
import { setUp } from "./set-up.ts";
import { spending } from "./spending.ts";
import { vault } from "./vault.ts";

const PROJECT = projectName("p1");
const RUN = runAggregate(PROJECT, runId("42.1"));
const OTHER = runAggregate(PROJECT, runId("43.1"));
const HOUR_MS = 3_600_000;

type Write = (tx: Transaction) => Promise<unknown>;
const event =
  (to: AggregateId, what: Event): Write =>
  (tx) =>
    tx.append(to, what);
const state =
  (id: AggregateId, what: AggregateState): Write =>
  (tx) =>
    tx.save(id, what, undefined);
const effect =
  (aggregate: AggregateId, what: Effect): Write =>
  (tx) =>
    tx.enqueue({ key: `${aggregate}:${what.kind}`, lane: aggregate, aggregate, effect: what });
const settled =
  (aggregate: AggregateId, kind: Effect["kind"]): Write =>
  (tx) =>
    tx.settle(`${aggregate}:${kind}`);

const runAs = (change: Partial<Run> = {}): Run => testRun({ project: PROJECT, ...change });
const runState = (change: Partial<Run> = {}): Write => state(RUN, runAs(change));
const otherBegins = (config = testConfig()): Write =>
  state(OTHER, runAs({ id: runId("43.1"), config }));

/** What a checker says after these transactions and other facts, two hours later. */
async function after(
  checkerOf: (world: World) => Checker,
  ...happens: (Write[] | Fact)[]
): Promise<string | undefined> {
  const world = new World(1, { ...optionsFrom(1), projects: 1, budget: true, tight: true });
  world.faults.on = false;
  const checker = checkerOf(world);
  world.listeners.push((fact) => checker.hear(fact));
  const store = new Life(world, 1).store();
  for (const one of happens) {
    if (!Array.isArray(one)) world.tell(one);
    else {
      await store.transaction(async (tx) => {
        for (const write of one) await write(tx);
      });
    }
  }
  while (world.clock.advance(2 * HOUR_MS)) await new Promise((resolve) => setImmediate(resolve));
  return world.failure?.message;
}

test("a session is an orphan's from the end of its run on, and not before", async () => {
  const orphan = { kind: "session", key: "s", run: "42.1", epoch: 1, tmuxSession: "dev" } as const;
  const deacon = patrolAggregate(PROJECT, "deacon");
  const taken = effect(deacon, { kind: "settle-orphan", orphan, incident: undefined });
  const ended = runState({ stage: { kind: "ended" } });
  expect(await after(orphans, [runState()], [ended, taken])).toBeUndefined();
  expect(await after(orphans, [runState()], [taken, ended])).toBe(
    "epoch 1 of run:p1/42.1 is taken for an orphan",
  );
});

test("an answer is to what was asked when it came, also in its own transaction", async () => {
  const process = { project: PROJECT, run: runId("42.1"), epoch: 1 } as Process;
  const asked: Fact = { kind: "question-asked", process, text: "Blue?", how: "phase" };
  const asks = runState({ stage: escalated("Blue?") });
  const answer: Event = { kind: "escalation-answered", at: 1, by: "ann", text: "Yes." };
  const answered = event(RUN, answer);
  expect(await after(questions, [runState()], asked, [asks, answered, runState()])).toBeUndefined();
  expect(await after(questions, [runState()], asked, [answered, asks, runState()])).toBe(
    'run:p1/42.1 dropped "Blue?", which has no answer',
  );
});

test("an item is confirmed in the transaction in which its outcome is lost", async () => {
  const id = vaultAggregate(toy, "v1");
  const world = new VaultWorld();
  const request = filed({ decision: "allow" });
  const filedState = world.step(request);
  const begun = world.step({ kind: "vault-firing-begun", at: 1, attempt: 1 });
  const unsure = world.fired(2, 1, { kind: "unknown", why: "no answer" });
  const confirmed = {
    kind: "vault-confirmed",
    at: 3,
    by: "ann",
    happened: true,
    note: "",
  } as const;
  const over = world.step(confirmed);
  expect(
    await after(
      vault,
      [event(id, request), state(id, filedState), state(id, begun)],
      [state(id, unsure), event(id, confirmed), state(id, over)],
    ),
  ).toBeUndefined();
});

test("an end that is asked for and cancelled in one transaction is not waited for", async () => {
  const end = effect(RUN, {
    kind: "end-session",
    marks: { run: runId("42.1"), epoch: 1, tmuxSession: undefined, process: undefined },
    graceMs: 0,
  });
  const cancelled = settled(RUN, "end-session");
  const started: Fact = { kind: "daemon-started", life: 1 };
  expect(await after(endsInTime, started, [end, cancelled])).toBeUndefined();
  expect(await after(endsInTime, started, [end])).toContain("has not been tried for 45 min");
  expect(await after(endsInTime, started, [end], [cancelled, end])).toContain("has not been tried");
});

test("a run begins by what the CI server has said of the target before", async () => {
  const ci = { ...testConfig().ci, gates: [] };
  const begins = otherBegins({ ...testConfig(), ci });
  const red = event(queueAggregate(PROJECT), {
    kind: "target-looked",
    at: 1,
    ref: "main",
    target: commitId("c1"),
    word: { kind: "failed", results: [] },
  });
  expect(await after(grounded, [begins, red])).toBeUndefined();
  expect(await after(grounded, [red, begins])).toBe(
    "run:p1/43.1 begins, and the CI server called its target red",
  );
});

test("set-up that passes after it failed in one transaction is not known to fail", async () => {
  const to = projectAggregate(PROJECT);
  const failure = { why: "no disk", logTail: "" };
  const failed = event(to, { kind: "set-up-failed", at: 1, run: runId("42.1"), failure });
  const passed = event(to, { kind: "set-up-passed", at: 1, run: runId("44.1") });
  expect(await after(setUp, [failed, passed], [otherBegins()])).toBeUndefined();
  expect(await after(setUp, [passed, failed], [otherBegins()])).toBe(
    "run:p1/43.1 begins, and set-up is known to fail",
  );
});

test("what was spent before an answer of its own transaction does not count after it", async () => {
  const text = `{"kind":"usage","tokens":30000}`;
  const used = event(RUN, { kind: "spool-received", at: 1, epoch: 1, name: "1.json", text });
  const answered = event(RUN, { kind: "run-retried", at: 1, by: "ann" });
  const spawn = effect(RUN, { kind: "spawn-session", run: runId("42.1"), epoch: 2, tell: [] });
  expect(await after(spending, [used, answered], [spawn])).toBeUndefined();
  expect(await after(spending, [answered, used], [spawn])).toBe(
    "run:p1/42.1 goes on though it has spent 30000 tokens",
  );
});
