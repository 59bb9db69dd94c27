import { expect, test } from "vitest";
import { formulaAggregate, projectAggregate, projectName } from "../../src/core/ids.ts";
import { ACTION_LIMITS } from "../../src/core/task.ts";
import { createLoop, type Input } from "../../src/daemon/engine/loop.ts";
import { formulaOf } from "../../test/support/formula.ts";
import { Life } from "../life.ts";
import { optionsFrom } from "../options.ts";
import { World } from "../world.ts";
import { actions } from "./actions.ts";

const PROJECT = projectName("p1");
const PROJECT_ID = projectAggregate(PROJECT);
const AT = 1;

/** Of action issue #7, by its attempt. */
const formulaId = (attempt: number) => formulaAggregate(PROJECT, `action-7.${attempt}`);
const formulaRequested = (attempt: number): Input => ({
  to: formulaId(attempt),
  event: {
    kind: "formula-requested",
    at: AT,
    project: PROJECT,
    id: `action-7.${attempt}`,
    key: `action:p1/7#${attempt}`,
    formula: formulaOf(`name = "sweep"\n[[steps]]\nid = "sweep"\nbuiltin = "say"\n`),
    vars: {},
    source: "sweep.toml",
    by: "#7",
  },
});
const daemonStarted: Input = { to: formulaId(1), event: { kind: "daemon-started", at: AT + 1 } };
const formulaStopped: Input = {
  to: formulaId(1),
  event: { kind: "formula-stopped", at: AT + 1, by: "ada" },
};

const taskRequested = (attempt: number): Input => ({
  to: PROJECT_ID,
  event: {
    kind: "task-requested",
    at: AT,
    task: {
      by: "action:p1/7",
      key: `action:p1/7#${attempt}`,
      role: "action",
      name: "7",
      title: "Sweep",
      issue: 7,
      brief: "Sweep.",
      output: "either",
      at: { kind: "target" },
      limits: ACTION_LIMITS,
    },
  },
});
const taskWithdrawn: Input = {
  to: PROJECT_ID,
  event: { kind: "task-withdrawn", at: AT, key: "action:p1/7#1", why: "its issue was closed" },
};

/** What the checker says after these transactions, each of some events. */
async function after(...commits: Input[][]): Promise<string | undefined> {
  const world = new World(1, { ...optionsFrom(1), projects: 1 });
  world.faults.on = false;
  const checker = actions(world);
  world.listeners.push((fact) => checker.hear(fact));
  const store = new Life(world, 1).store();
  const loop = createLoop({ store, crash: async () => undefined, onCommitted: () => undefined });
  const upstream = { kind: "local", path: "/p1" } as const;
  await loop.submit({
    to: PROJECT_ID,
    event: { kind: "project-registered", at: AT, name: PROJECT, root: "/p1", upstream },
  });
  for (const inputs of commits) await loop.submitAll(inputs);
  return world.failure?.message;
}

test("an action has one formula or agent at a time", async () => {
  expect(await after([formulaRequested(1)], [formulaRequested(2)])).toBe(
    "formula:p1/action-7.1 and formula:p1/action-7.2 are both open",
  );
  expect(await after([taskRequested(1), taskRequested(2)])).toBe(
    "p1 action:p1/7#1 and p1 action:p1/7#2 are both open",
  );
});

test("a formula that changes and then ends in one transaction makes room for the next", async () => {
  const ended = [daemonStarted, formulaStopped];
  expect(await after([formulaRequested(1)], ended, [formulaRequested(2)])).toBeUndefined();
  expect(await after([formulaRequested(1)], [...ended, formulaRequested(2)])).toBeUndefined();
});

test("a task that is asked for and withdrawn in one transaction makes room for the next", async () => {
  expect(await after([taskRequested(1), taskWithdrawn], [taskRequested(2)])).toBeUndefined();
});
