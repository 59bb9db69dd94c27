import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { MIGRATIONS } from "./list.ts";

test("every migration in this folder is listed, numbered without a gap", () => {
  const files = readdirSync(import.meta.dirname).filter((name) => name.endsWith(".sql"));
  const names = MIGRATIONS.map((migration) => migration.name);
  expect(names).toEqual(files.toSorted());
  const numbers = names.map((name) => Number(name.slice(0, 4)));
  expect(numbers).toEqual(names.map((_, index) => index + 1));
});
