import { expect, test } from "vitest";
import {
  add,
  carryOutNext,
  carryOutOne,
  confirms,
  createWorld,
  drain,
  pushForeign,
  send,
  type Rules,
  type World,
} from "../../../test/support/queue-world.ts";
import { commitId, type Commit } from "../ids.ts";
import { entryById } from "./queue.ts";

/** Gates take long, and everything else is done while one runs. */
function slowGates(rules: Partial<Rules> = {}, options: { step?: number } = {}): World {
  const bad = (item: string): boolean => item.startsWith("bad");
  const world = createWorld({ rules: { bad, ...rules }, step: options.step ?? 2 });
  world.durationOf = (effect) => (effect.kind.startsWith("check-") ? 1000 : 1);
  return world;
}

const confirmation = (world: World) =>
  world.pending.find(({ obligation }) => confirms(obligation.effect));

/** Until nothing but the second run of the suspect is under way. */
function untilConfirming(world: World): void {
  for (let steps = 0; steps < 1000; steps += 1) {
    if (confirmation(world) !== undefined && world.pending.length === 1) return;
    carryOutOne(world);
  }
  throw new Error("nothing is confirmed");
}

const namesOf = (world: World, ids: number[]): string[] =>
  ids.map((id) => entryById(world.queue, id)?.title ?? "gone");
const preparedIn = (world: World): string[] | undefined =>
  world.queue.prepared &&
  namesOf(
    world,
    world.queue.prepared.slots.map(({ entry }) => entry),
  );

test("while a suspect is confirmed the next batch is built without it, and its check begins at once", () => {
  const world = slowGates();
  for (const name of ["a", "bad", "c", "d", "e"]) add(world, name);
  untilConfirming(world);
  expect(preparedIn(world)).toEqual(["c", "d"]);
  carryOutNext(world, "check-candidate");
  const kinds = world.pending.map(({ obligation }) => obligation.effect.kind);
  expect(kinds).toContain("check-candidate");
  expect(world.queue).toMatchObject({ stack: [{ test: undefined }, { test: {} }] });
  expect(world.queue.prepared).toBeUndefined();
  drain(world);
  expect(world.target).toEqual(["base", "a", "c", "d", "e"]);
});

test("with a resolver nothing is built ahead: it would be run twice for each conflict", () => {
  const world = slowGates();
  world.policy = { ...world.policy, resolve: ["tool", "{file}"] };
  for (const name of ["a", "bad", "c", "d", "e"]) add(world, name);
  untilConfirming(world);
  expect(world.queue.prepared).toBeUndefined();
  drain(world);
  expect(world.target).toEqual(["base", "a", "c", "d", "e"]);
});

test("a suspect that was a flake lands, and what was built without it is let go", () => {
  const world = slowGates();
  for (const name of ["a", "b", "c", "d"]) add(world, name);
  // Together they fail, a passes alone, and b passes the second time.
  world.nextCheck = ["red"];
  untilConfirming(world);
  const builds = world.queue.prepared?.slots.map(({ build }) => build) ?? [];
  expect(builds).not.toEqual([]);
  drain(world);
  expect(world.target).toEqual(["base", "a", "b", "c", "d"]);
  for (const build of builds) expect(world.released).toContain(build);
});

test("what was prepared is taken as far as nothing in it has left the queue", () => {
  const world = slowGates({}, { step: 4 });
  for (const name of ["bad", "b", "c", "d", "e"]) add(world, name);
  untilConfirming(world);
  expect(preparedIn(world)).toEqual(["b", "c", "d", "e"]);
  send(world, { kind: "entry-withdrawn", at: world.now, branch: "b-c", why: "cancelled" });
  carryOutNext(world, "check-candidate");
  expect(
    namesOf(
      world,
      world.queue.stack.map(({ entry }) => entry),
    ),
  ).toEqual(["b"]);
  drain(world);
  expect(world.target).toEqual(["base", "b", "d", "e"]);
});

test("a build without a suspect goes on where the suspect leaves meanwhile", () => {
  const world = slowGates();
  for (const name of ["bad", "b", "c"]) add(world, name);
  while (world.queue.building?.without === undefined) carryOutOne(world);
  const { ref } = world.queue.building;
  send(world, { kind: "entry-withdrawn", at: world.now, branch: "b-bad", why: "cancelled" });
  expect(world.queue.building).toMatchObject({ ref });
  expect(world.queue.building).not.toHaveProperty("without");
  drain(world);
  expect(world.target).toEqual(["base", "b", "c"]);
});

test("an entry of higher priority that comes meanwhile goes first all the same", () => {
  const world = slowGates();
  for (const name of ["bad", "b", "c"]) add(world, name);
  untilConfirming(world);
  add(world, "urgent", { priority: 1 });
  drain(world);
  expect(world.target).toEqual(["base", "urgent", "b", "c"]);
});

test("where the target moves meanwhile, nothing that was prepared is used", () => {
  const world = slowGates();
  for (const name of ["a", "bad", "c", "d"]) add(world, name);
  untilConfirming(world);
  const builds = world.queue.prepared?.slots.map(({ build }) => build) ?? [];
  expect(builds).not.toEqual([]);
  pushForeign(world, "foreign");
  send(world, { kind: "target-observed", at: world.now, target: world.history.at(-1) as never });
  carryOutNext(world, "survey-queue");
  expect(world.queue.prepared).toBeUndefined();
  drain(world);
  expect(world.target).toEqual(["base", "a", "foreign", "c", "d"]);
  for (const build of builds) expect(world.released).toContain(build);
});

/** Until the others are being built without the suspect; that build ends as the test says. */
function untilBuilding(world: World): { ref: string; onto: Commit } {
  while (world.queue.building?.without === undefined) carryOutOne(world);
  const { ref, onto } = world.queue.building;
  world.pending = world.pending.filter(
    ({ obligation }) => obligation.effect.kind !== "build-candidate",
  );
  return { ref, onto };
}

test("a conflict is settled only where the entries are really stacked", () => {
  const world = slowGates();
  for (const name of ["bad", "b", "c"]) add(world, name);
  const { ref } = untilBuilding(world);
  send(world, { kind: "candidate-conflicted", at: world.now, ref, index: 1, files: ["x"] });
  expect(preparedIn(world)).toEqual([]);
  expect(world.queue.conflicts).toEqual([]);
  drain(world);
  expect(world.target).toEqual(["base", "b", "c"]);
});

test("an entry that adds nothing ends what was prepared, and is settled where it is stacked", () => {
  const world = slowGates({}, { step: 4 });
  for (const name of ["bad", "b", "c", "d"]) add(world, name);
  const { ref, onto } = untilBuilding(world);
  const tips = ["b", "b", "b+d"].map((items) => commitId(`${onto}+${items}`));
  const empty = [{ index: 1, landed: true }];
  const built = { ref, tips, empty, changesPolicy: [] };
  send(world, { kind: "candidate-built", at: world.now, ...built });
  expect(preparedIn(world)).toEqual(["b"]);
  expect(world.queue.past).toEqual([]);
  drain(world);
  expect(world.target).toEqual(["base", "b", "c", "d"]);
});

test("a build for later that fails is tried again, and holds up no landing for good", () => {
  const world = slowGates();
  for (const name of ["a", "bad", "c"]) add(world, name);
  while (world.queue.building?.without === undefined) carryOutOne(world);
  world.failNext.add("build-candidate");
  drain(world);
  expect(world.target).toEqual(["base", "a", "c"]);
});
