import { expect, test } from "vitest";
import { SimClock } from "../../../sim/fakes/clock.ts";
import { projectAggregate, projectName, type AggregateId } from "../../core/ids.ts";
import type { Project } from "../../core/project/project.ts";
import type { AggregateState } from "../../core/step.ts";
import { createMemoryStore } from "../../store/memory.ts";
import { createDeadlines } from "./deadlines.ts";

const jumps = { settle: () => undefined };
const mayPass = (): boolean => true;

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
    createDeadlines({ store, clock, loop, jumps, mayPass, onError }).schedule();
  });
  expect(await told).toBe("queue:whole");
  expect(errors).toEqual([expect.any(TypeError)]);
});

const LATER = Date.UTC(2030, 0, 1);

/** A loop that takes every event in and changes nothing, as a bug in the core would. */
async function stuck(project: Partial<Project>, wakeAt: number) {
  const clock = new SimClock();
  const store = createMemoryStore();
  const id = projectAggregate(projectName("toy"));
  const state = { kind: "project", tasks: [], active: [], ...project } as unknown as Project;
  await store.transaction((tx) => tx.save(id, state, wakeAt));
  const errors: unknown[] = [];
  let told = 0;
  const deadlines = createDeadlines({
    store,
    clock,
    loop: {
      submit: async () => {
        told += 1;
        // As a commit would.
        deadlines.schedule();
        return true;
      },
    },
    jumps,
    mayPass,
    onError: (error) => void errors.push(error),
  });
  deadlines.schedule();
  return { clock, store, errors, told: () => told };
}

test("a deadline that does not move is reported and tried again after a pause that grows", async () => {
  const closed = { until: 5, reason: "spent" };
  const { clock, errors, told } = await stuck({ closed }, 5);
  await clock.until(clock.sleep(60_000));
  expect(told()).toBeGreaterThan(3);
  expect(told()).toBeLessThan(10);
  expect(String(errors[0])).toMatch(/deadline of project:toy .* does not move it/);
});

test("a deadline of an older version is corrected in the journal", async () => {
  const { clock, store, errors } = await stuck({ closed: { until: LATER, reason: "" } }, 5);
  await clock.until(clock.sleep(1000));
  expect(await store.nextWake()).toBe(LATER);
  expect(errors).toEqual([]);
});

test("a deadline that may not pass yet passes at the first look at which it may", async () => {
  const clock = new SimClock();
  const store = createMemoryStore();
  const state = { kind: "queue", project: projectName("toy") } as unknown as AggregateState;
  const ids: AggregateId[] = ["queue:early", "queue:late"];
  for (const id of ids) await store.transaction((tx) => tx.save(id, state, clock.now()));
  const told: AggregateId[] = [];
  const looked = () => {
    clock.advance(60_000);
    return told;
  };
  const may = new Set<AggregateId>(["queue:early"]);
  const deadlines = createDeadlines({
    store,
    clock,
    loop: {
      submit: async ({ to }: { to: AggregateId }) => {
        told.push(to);
        await store.transaction((tx) => tx.save(to, state, undefined));
        return true;
      },
    },
    jumps,
    mayPass: (id) => may.has(id),
    onError: (error) => expect.fail(String(error)),
  });
  deadlines.schedule();
  await expect.poll(() => told).toEqual(["queue:early"]);
  may.add("queue:late");
  await expect.poll(looked).toEqual(["queue:early", "queue:late"]);
});
