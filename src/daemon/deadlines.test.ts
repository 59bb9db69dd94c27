import { expect, test } from "vitest";
import { SimClock } from "../../sim/fakes/clock.ts";
import { projectName, type AggregateId } from "../core/ids.ts";
import type { AggregateState } from "../core/step.ts";
import { createMemoryStore } from "../store/memory.ts";
import { createDeadlines } from "./deadlines.ts";

test("an aggregate that cannot be stepped keeps no other from its deadline", async () => {
  const clock = new SimClock();
  const store = createMemoryStore();
  const state = { kind: "queue", project: projectName("toy") } as unknown as AggregateState;
  const ids: AggregateId[] = ["queue:broken", "queue:whole"];
  for (const id of ids) await store.transaction((tx) => tx.save(id, state, clock.now()));
  const errors: unknown[] = [];
  const told = new Promise<AggregateId>((resolve) => {
    const loop = {
      submit: async ({ to }: { to: AggregateId }) => {
        if (to === "queue:broken") throw new TypeError("a bug");
        resolve(to);
        return true;
      },
    };
    const onError = (error: unknown) => void errors.push(error);
    createDeadlines({ store, clock, loop, onError }).schedule();
  });
  expect(await told).toBe("queue:whole");
  expect(errors).toEqual([expect.any(TypeError)]);
});
