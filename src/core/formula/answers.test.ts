import { expect, test } from "vitest";
import { FormulaWorld, formulaOf, START } from "../../../test/support/formula.ts";
import { commitId, runId } from "../ids.ts";
import type { TaskOutcome } from "../task.ts";

const GATE = formulaOf(`name = "f"\n[[steps]]\nid = "ask"\ngate = "human"\nretries = 1`);
const AGENT = formulaOf(
  `name = "Fix_It"\nmodel = "opus"\n[[steps]]\nid = "think"\nresult = "json"\ntimeout = "2 h"`,
);
const KEY = "formula:toy/f.1#1:think:1";
const RUN = runId("action-fix-it-think.1");

const answer = (world: FormulaWorld, outcome: TaskOutcome, key = KEY): void => {
  world.tells = [];
  world.tell({ kind: "task-finished", at: world.now, key, run: RUN, outcome });
};

const told = (world: FormulaWorld): unknown[] =>
  world.tells.map(({ to, event }) => [to, event.kind]);

test("a step opens its gate and goes on when it closes; refused, it is tried again", () => {
  const world = new FormulaWorld(GATE);
  expect(told(world)).toEqual([["gate:toy/f.1.ask", "gate-requested"]]);
  const passed = (key: string, met: boolean) =>
    ({
      kind: "gate-passed",
      at: START,
      gate: "gate:toy/f.1.ask",
      key,
      met,
      reason: "why",
    }) as const;
  world.tell(passed("formula:toy/f.1#1:ask:1", false));
  expect(world.states()).toEqual({ ask: "retrying" });
  world.tell(passed("formula:toy/f.1#1:ask:1", true));
  expect(world.states()).toEqual({ ask: "retrying" });
  world.wait(2000);
  world.tell(passed("formula:toy/f.1#1:ask:2", true));
  expect(world.run.steps["ask"]).toMatchObject({ kind: "done", output: "why" });
});

test("a gate that is not closed in time is withdrawn with its step", () => {
  const world = new FormulaWorld(GATE);
  world.tells = [];
  world.wait(8 * 86_400_000);
  expect(told(world)).toEqual([["gate:toy/f.1.ask", "gate-withdrawn"]]);
});

test("an agent's step is a task of the project, for the same worker every time", () => {
  const { tells } = new FormulaWorld(AGENT);
  expect(tells).toMatchObject([
    {
      to: "project:toy",
      event: {
        kind: "task-requested",
        task: {
          by: "formula:toy/f.1",
          key: KEY,
          role: "action",
          name: "fix-it-think",
          output: "result",
          model: "opus",
          limits: { lifeMs: 7_200_000 },
        },
      },
    },
  ]);
});

test("a result that passes its check is accepted, another goes back with what is wrong", () => {
  const world = new FormulaWorld(AGENT);
  answer(world, { kind: "result", text: "{nonsense" });
  expect(world.tells).toMatchObject([
    { to: `run:toy/${RUN}`, event: { kind: "task-refused", key: KEY } },
  ]);
  expect(world.states()).toEqual({ think: "running" });
  answer(world, { kind: "result", text: "[]" });
  expect(world.tells).toMatchObject([{ to: `run:toy/${RUN}`, event: { kind: "task-accepted" } }]);
  expect(world.run.steps["think"]).toMatchObject({ kind: "done", output: "[]", run: RUN });
});

test.each<[TaskOutcome, string, string]>([
  [{ kind: "nothing" }, "done", ""],
  [{ kind: "landed", commit: commitId("c1") }, "done", "c1"],
  [{ kind: "landed", commit: commitId("c1"), text: '"notes"' }, "done", '"notes"'],
])("%j ends the step", (outcome, kind, output) => {
  const world = new FormulaWorld(AGENT);
  answer(world, outcome);
  expect(world.run.steps["think"]).toMatchObject({ kind, output });
});

test("a branch that landed with a result that cannot be used fails the step, and says both", () => {
  const world = new FormulaWorld(AGENT);
  answer(world, { kind: "landed", commit: commitId("c1"), text: "no JSON" });
  expect(world.run.steps["think"]).toMatchObject({
    kind: "failed",
    problem: expect.stringMatching(/^landed as c1, but the result file is not JSON/),
  });
});

test("an agent that fails fails its step", () => {
  const world = new FormulaWorld(AGENT);
  answer(world, { kind: "failed", reason: "it gave up" });
  expect(world.run.outcome).toMatchObject({ kind: "failed", reason: "think: it gave up" });
});

test("an offer for a step that no longer waits is accepted, so that its run can end", () => {
  const world = new FormulaWorld(AGENT);
  world.tells = [];
  world.tell({ kind: "formula-stopped", at: world.now, by: "ada" });
  expect(told(world)).toEqual([["project:toy", "task-withdrawn"]]);
  answer(world, { kind: "result", text: "late" });
  expect(told(world)).toEqual([[`run:toy/${RUN}`, "task-accepted"]]);
});
