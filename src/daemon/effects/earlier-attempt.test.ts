import { expect, test } from "vitest";
import { red } from "../../../test/support/outcomes.ts";
import { HEAD, testRun } from "../../../test/support/run.ts";
import { runId, treeId } from "../../core/ids.ts";
import type { Run } from "../../core/run/run.ts";
import { earlierAttempt } from "./earlier-attempt.ts";
import type { EffectContext } from "./executor.ts";

const ended = (attempt: number, change: Partial<Run>): Run =>
  testRun({ id: runId(`42.${attempt}`), attempt, ...change });

function look(runs: Run[]) {
  const store = { named: async () => runs.map((state) => ({ state })) };
  return earlierAttempt(42, { store, project: "toy" } as unknown as EffectContext);
}

const BLOCKED = { outcome: { kind: "blocked", reason: "too many CI fixes" } } as const;

test("the newest run of the issue is told: how it ended, its phase, and the gate that failed", async () => {
  const check = { head: HEAD, tree: treeId("tree"), outcome: red(), at: 1 };
  const phase = { ordinal: 3, phase: "failed", reason: "no idea", at: 1 } as const;
  const older = ended(1, { outcome: { kind: "blocked", reason: "older" } });
  expect(await look([ended(2, { ...BLOCKED, phase, check }), older])).toMatchObject({
    attempt: {
      run: "42.2",
      outcome: BLOCKED.outcome,
      phase: { phase: "failed", reason: "no idea" },
      failed: { head: HEAD, outcome: { kind: "failed", results: [{ gate: "test" }] } },
    },
  });
});

test("a run that lost its claim before an agent began hides no earlier one", async () => {
  const older = ended(1, BLOCKED);
  const lost = ended(2, { outcome: { kind: "lost", why: "ann has it" }, session: undefined });
  expect(await look([lost, older])).toMatchObject({ attempt: { run: "42.1" } });
  expect(await look([lost])).toEqual({});
});

test("nothing is told of a run that landed or was refused, nor of the run of a PR with this number", async () => {
  const landed = ended(1, { outcome: { kind: "landed", commit: HEAD } });
  const refused = ended(2, { outcome: { kind: "refused", why: "too large", blockedBy: [] } });
  const work = { ...landed.work, number: 41 } as Run["work"];
  expect(await look([landed])).toEqual({});
  expect(await look([refused, landed])).toEqual({});
  expect(await look([ended(3, { ...BLOCKED, work, pr: 42 })])).toEqual({});
  expect(await look([])).toEqual({});
});
