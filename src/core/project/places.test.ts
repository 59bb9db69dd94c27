import { expect, test } from "vitest";
import { runId } from "../ids.ts";
import { freeSlot, placesTaken } from "./places.ts";
import type { ActiveRun, Project } from "./project.ts";

const issue = (number: number, slot: number): ActiveRun => ({
  run: runId(`${number}.1`),
  issue: number,
  slot,
});
const task = (identity: string, slot: number, takesPlace = false): ActiveRun => ({
  run: runId(`${identity}.1`),
  slot,
  task: { key: identity, identity, role: "review", takesPlace },
});
const project = (active: ActiveRun[], leaving: ActiveRun[] = []): Project =>
  ({ active, leaving }) as unknown as Project;

test("issues take places, tasks only where they say so", () => {
  const active = [issue(1, 0), task("review-7", 1), task("action-8", 2, true)];
  expect(placesTaken(project(active))).toBe(2);
});

test("a slot is free once nothing of its run is left", () => {
  expect(freeSlot(project([issue(1, 0)], [task("review-7", 1)]))).toBe(2);
});
