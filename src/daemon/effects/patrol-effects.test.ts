import { expect, test } from "vitest";
import { testRun } from "../../../test/support/run.ts";
import {
  projectAggregate,
  projectName,
  runAggregate,
  runId,
  type AggregateId,
} from "../../core/ids.ts";
import type { OrphanFact } from "../../core/patrol/orphan.ts";
import type { Project } from "../../core/project/project.ts";
import type { AggregateState } from "../../core/step.ts";
import { pathsOf } from "../host/paths.ts";
import type { EffectContext } from "./executor.ts";
import { patrolEffects } from "./patrol-effects.ts";

const project = projectName("toy");
const PROJECT = { kind: "project", name: project, active: [], leaving: [] } as unknown as Project;

/** What was called, with what it was given. */
function world(states: [AggregateId, AggregateState][], labels: string[] = []) {
  const calls: [string, unknown][] = [];
  const note =
    (name: string, answer?: unknown) =>
    async (...args: unknown[]): Promise<unknown> => {
      calls.push([name, args.length === 1 ? args[0] : args]);
      return answer;
    };
  const known = new Map<AggregateId, AggregateState>([
    [projectAggregate(project), PROJECT],
    ...states,
  ]);
  const context = {
    key: "k",
    project,
    now: () => 9,
    paths: pathsOf("/home", "/run"),
    restart: note("restart"),
    fix: async () => ({ fixed: 2, note: "the doctor fixed 2 of 2" }),
    store: {
      aggregates: async () => [{ state: known.get(projectAggregate(project)) }],
      load: async (id: AggregateId) => {
        const state = known.get(id);
        return state === undefined ? undefined : { id, version: 1, state };
      },
    },
    own: {
      git: { checkpoint: note("checkpoint") },
      forge: {
        issue: async () => ({ state: "open", labels }),
        claimOf: async () => ({ key: "run:toy/4.1", holder: "this", by: "pawl", at: 0 }),
        createIssue: note("createIssue"),
        comment: note("comment"),
        editIssue: note("editIssue"),
      },
    },
    ports: { terminal: { end: note("end") } },
  } as unknown as EffectContext;
  return { context, calls };
}

const settle = (
  orphan: OrphanFact,
  { context }: ReturnType<typeof world>,
  incident?: { title: string; body: string },
) => patrolEffects["settle-orphan"]({ kind: "settle-orphan", orphan, incident }, context);
const issue = (ended: "landed" | "blocked" | "lost" | undefined): OrphanFact => ({
  kind: "issue",
  key: "issue:4",
  issue: 4,
  title: "Four",
  ended,
  lost: ended === undefined,
});
const session = (run: string, epoch: number): OrphanFact => ({
  kind: "session",
  key: `session:${run}:${epoch}`,
  run,
  epoch,
  tmuxSession: "dev",
});

test("an issue gets the labels that its last run meant, and nothing is done for one with an owner", async () => {
  const blocked = world([], ["in-progress"]);
  await settle(issue("blocked"), blocked);
  expect(blocked.calls).toEqual([
    ["editIssue", [4, { addLabels: ["backlog", "blocked"], removeLabels: ["in-progress"] }]],
    ["restart", "observer"],
  ]);
  const landed = world([], ["in-progress"]);
  await settle(issue("landed"), landed);
  expect(landed.calls).toEqual([
    ["editIssue", [4, { removeLabels: ["in-progress"], state: "closed" }]],
  ]);
  const free = world([], ["backlog"]);
  expect(await settle(issue("blocked"), free)).toMatchObject({
    note: "#4 has an owner after all",
  });
  expect(free.calls).toEqual([]);
});

test("an issue whose claim was replaced by another has an owner", async () => {
  const other = world([], ["in-progress"]);
  const orphan = { ...issue("blocked"), claim: "run:toy/4.0" } as OrphanFact;
  expect(await settle(orphan, other)).toMatchObject({
    note: "#4 has an owner after all",
  });
  expect(other.calls).toEqual([]);
});

test("an operation is closed or blocked as it ended, and begun again by itself only if it never was", async () => {
  const settled = async (action: "done" | "blocked" | "unbegun" | "unknown") => {
    const { context, calls } = world([], ["in-progress", "action"]);
    await settle({ ...issue(undefined), action } as OrphanFact, { context, calls });
    return calls;
  };
  const removeLabels = ["in-progress"];
  expect(await settled("done")).toEqual([["editIssue", [4, { removeLabels, state: "closed" }]]]);
  const blocked = ["editIssue", [4, { addLabels: ["blocked"], removeLabels }]];
  expect(await settled("blocked")).toEqual([blocked]);
  expect(await settled("unknown")).toEqual([["comment", expect.anything()], blocked]);
  expect(await settled("unbegun")).toEqual([
    ["editIssue", [4, { removeLabels }]],
    ["restart", "observer"],
  ]);
});

test("an incident is filed under a key of its own before the issue goes back", async () => {
  const lost = world([], ["in-progress"]);
  const outcome = await settle(issue(undefined), lost, { title: "Incident", body: "lost" });
  expect(lost.calls.map(([name]) => name)).toEqual([
    "createIssue",
    "comment",
    "editIssue",
    "restart",
  ]);
  expect(lost.calls[0]?.[1]).toMatchObject({ key: "k:incident", labels: ["incident"] });
  expect(outcome).toMatchObject({ kind: "orphan-settled", key: "issue:4" });
});

test("a session that outlived its run is saved and then ended, by its marks; one that has a run is left alone", async () => {
  const id = runAggregate(project, runId("42.1"));
  const over = testRun({ stage: { kind: "ended" }, epoch: 1 });
  const gone = world([[id, over]]);
  await settle(session("42.1", 1), gone);
  expect(gone.calls.map(([name]) => name)).toEqual(["checkpoint", "end"]);
  expect(gone.calls[1]?.[1]).toMatchObject({ marks: { project: "toy", run: "42.1", epoch: 1 } });
  const alive = world([[id, testRun({ epoch: 1 })]]);
  expect(await settle(session("42.1", 1), alive)).toMatchObject({ note: "it has a run after all" });
  expect(alive.calls).toEqual([]);
});

test("parts are started again by name, and the doctor's word is kept", async () => {
  const { context, calls } = world([]);
  const restart = { kind: "restart-component", component: "outbox" } as const;
  expect(await patrolEffects["restart-component"](restart, context)).toMatchObject({
    kind: "component-restarted",
    component: "outbox",
  });
  expect(calls).toEqual([["restart", "outbox"]]);
  expect(await patrolEffects["fix-leftovers"]({ kind: "fix-leftovers" }, context)).toMatchObject({
    note: "the doctor fixed 2 of 2",
  });
});

test("a daemon is renewed once: the next one finds that another was meant", async () => {
  let renewed = 0;
  const keeper = { since: 5, renew: () => (renewed += 1) };
  const context = { keeper } as unknown as EffectContext;
  await patrolEffects["renew-daemon"]({ kind: "renew-daemon", since: 4 }, context);
  expect(renewed).toBe(0);
  await patrolEffects["renew-daemon"]({ kind: "renew-daemon", since: 5 }, context);
  expect(renewed).toBe(1);
  const unkept = { keeper: undefined } as unknown as EffectContext;
  await patrolEffects["renew-daemon"]({ kind: "renew-daemon", since: 5 }, unkept);
});
