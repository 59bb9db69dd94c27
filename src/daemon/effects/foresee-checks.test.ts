import { expect, test } from "vitest";
import { add, carryOutOne, createWorld, send } from "../../../test/support/queue-world.ts";
import { queueAggregate, treeId, type Commit } from "../../core/ids.ts";
import type { Effect } from "../../core/effect.ts";
import type { Store } from "../../ports/store.ts";
import { foreseeChecks } from "./foresee-checks.ts";

type World = ReturnType<typeof createWorld>;
type Check = Extract<Effect, { kind: "check-candidate" }>;

function queued(names: string[], bad: string[]): World {
  const world = createWorld({ rules: { bad: (item) => bad.includes(item) } });
  // Everything else happens while a check runs.
  world.durationOf = ({ kind }) => (kind.startsWith("check-") ? 1000 : 1);
  send(world, { kind: "queue-paused", at: 1, by: "op", why: "filling up" });
  for (const name of names) add(world, name);
  send(world, { kind: "queue-resumed", at: 2, by: "op" });
  return world;
}

const checkIn = (world: World): Check | undefined =>
  world.pending
    .map(({ obligation }) => obligation.effect)
    .find((effect): effect is Check => effect.kind === "check-candidate");

function foreseen(world: World, { ref }: Check): Promise<Commit[]> {
  const { queue } = world;
  const store = { load: async () => ({ state: queue }) } as unknown as Store;
  const aggregate = queueAggregate(queue.project);
  return foreseeChecks({ store, aggregate, now: () => world.now }, { ref, tree: treeId("tree") });
}

const NAMES = ["a", "b", "c", "d", "e", "f", "g", "h"];

test.each([[[]], [["a"]], [["d"]], [["b", "g"]], [["c", "d", "h"]]])(
  "what is checked next was foreseen, where %j are red",
  async (bad) => {
    const world = queued(NAMES, bad);
    const wrong: string[] = [];
    let checks = 0;
    while (carryOutOne(world)) {
      const check = checkIn(world);
      if (check === undefined || world.pending.length > 1) continue;
      const asked = await foreseen(world, check);
      const before = world.queue;
      carryOutOne(world);
      expect(world.queue).not.toBe(before);
      const next = checkIn(world);
      if (next === undefined) continue;
      checks += 1;
      if (!asked.includes(next.commit)) wrong.push(`${next.commit} is not among ${asked.join()}`);
    }
    expect(wrong).toEqual([]);
    expect(checks).toBeGreaterThan(1);
  },
);

test("to ask what may be next changes nothing", async () => {
  const world = queued(NAMES, []);
  while (checkIn(world) === undefined) carryOutOne(world);
  const check = checkIn(world);
  const before = structuredClone(world.queue);
  if (check !== undefined) await foreseen(world, check);
  expect(world.queue).toEqual(before);
});
