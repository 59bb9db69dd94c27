import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CHECKERS } from "./checkers/all.ts";
import { MUTANTS } from "./mutant-list.ts";
import { optionsFrom } from "./options.ts";
import { World } from "./world.ts";

const ROOT = join(import.meta.dirname, "..");

const changes = MUTANTS.flatMap(({ name, also, ...first }) =>
  [first, ...(also === undefined ? [] : [also])].map((change) => ({ name, ...change })),
);

test.each(changes)("the planted bug fits into the sources once: $name ($file)", (change) => {
  const { file, from } = change;
  expect(readFileSync(join(ROOT, file), "utf8").split(from).length - 1).toBe(1);
});

/** What the simulation itself judges, besides the checkers. */
const OF_THE_SIMULATION = ["busy", "idle", "liveness"];

test("every checker has a planted bug that it is there for, and every planted bug a checker", () => {
  const world = new World(1, optionsFrom(1));
  const checkers = [...CHECKERS.map((create) => create(world).name), ...OF_THE_SIMULATION];
  const proven = new Set(MUTANTS.flatMap(({ by }) => by));
  expect([...proven].toSorted()).toEqual(checkers.toSorted());
});
