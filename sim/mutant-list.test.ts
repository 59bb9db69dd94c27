import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { MUTANTS } from "./mutant-list.ts";

const ROOT = join(import.meta.dirname, "..");

const changes = MUTANTS.flatMap(({ name, also, ...first }) =>
  [first, ...(also === undefined ? [] : [also])].map((change) => ({ name, ...change })),
);

test.each(changes)("the planted bug fits into the sources once: $name ($file)", (change) => {
  const { file, from } = change;
  expect(readFileSync(join(ROOT, file), "utf8").split(from).length - 1).toBe(1);
});
