import { expect, test } from "vitest";
import { add, createWorld, runUntil } from "../../../test/support/queue-world.ts";
import { emptyOutput } from "../effect.ts";
import { carryOut } from "./carry-out.ts";
import { plan } from "./plan.ts";

test("a plan that is carried out leaves nothing to plan", () => {
  const world = createWorld({});
  add(world, "a");
  const context = { at: world.now, output: emptyOutput() };
  expect(carryOut(world.queue, plan(world.queue, world.now), context)).toBe(world.queue);
});

test("the same plan carried out again with new refs is never taken for the first", () => {
  const world = createWorld({});
  add(world, "a");
  const refs = [runUntil(world, "survey-queue"), runUntil(world, "build-candidate")].map(
    (obligation) => obligation.key,
  );
  expect(refs).toEqual(["queue:p:survey:1", "queue:p:build:2"]);
  expect(world.queue.nextRef).toBe(3);
});
