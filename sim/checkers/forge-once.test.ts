import { expect, test } from "vitest";
import { patrolAggregate, projectName } from "../../src/core/ids.ts";
import type { NewOutboxRow } from "../../src/ports/store.ts";
import { Life } from "../life.ts";
import { optionsFrom } from "../options.ts";
import { World } from "../world.ts";
import { forgeOnce } from "./forge-once.ts";

const PROJECT = projectName("p1");
const DEACON = patrolAggregate(PROJECT, "deacon");
const settlesOrphan = (issue: number): NewOutboxRow => ({
  key: `${DEACON}:orphan:1`,
  lane: DEACON,
  aggregate: DEACON,
  effect: {
    kind: "settle-orphan",
    orphan: {
      kind: "issue",
      key: "k",
      issue,
      title: "Sweep",
      ended: undefined,
      lost: false,
      action: "unknown",
    },
    incident: undefined,
  },
});

test("the deacon says once of each claim without an owner that it settled it", async () => {
  const world = new World(1, { ...optionsFrom(1), projects: 1 });
  world.faults.on = false;
  const checker = forgeOnce(world);
  world.listeners.push((fact) => checker.hear(fact));
  const { forge } = world.project(PROJECT);
  const sweep = { title: "Sweep", body: "", labels: [], key: "sweep", author: "ann" };
  const { number } = forge.createIssue(sweep);
  const says = (): void => {
    forge.say({ issue: number, author: "pawl", body: "It is blocked." });
    world.tell({ kind: "forge-made", project: PROJECT, what: "comment", mark: `${number} orphan` });
  };
  await new Life(world, 1).store().transaction((tx) => tx.enqueue(settlesOrphan(number)));
  says();
  expect(world.failure).toBeUndefined();
  says();
  expect(world.failure?.message).toBe("#1 of p1 has 2 comments, and 1 had something to say");
});
