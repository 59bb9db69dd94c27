// The reference is made from the schema and the registry, and must be the one that is committed.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { agentsPage, commandsPage, configPage } from "../scripts/reference/texts.ts";
import { configKeys } from "../src/config/keys.ts";
import { parseConfig } from "../src/config/parse.ts";

const read = (name: string): string =>
  readFileSync(new URL(`../docs/reference/${name}`, import.meta.url), "utf8");

test("the reference of pawl.toml is current (`node scripts/reference.ts` writes it)", () => {
  expect(read("pawl-toml.md")).toBe(configPage());
});

test("the reference of the commands is current (`node scripts/reference.ts` writes it)", async () => {
  expect(read("commands.md")).toBe(await commandsPage());
});

test("the table of the agents is current (`node scripts/reference.ts` writes it)", () => {
  expect(read("agents.md")).toBe(agentsPage());
});

test("every key has a meaning and an example", () => {
  const lacking = configKeys().filter(
    ({ meaning, example }) => meaning === "" || example.includes("…"),
  );
  expect(lacking.map(({ key }) => key)).toEqual([]);
});

test.each(configKeys())("the example of $key is a value that the key takes", ({ key, example }) => {
  const parsed = parseConfig(example, "pawl.toml");
  const problems = parsed.kind === "valid" ? [] : parsed.problems;
  // The rest of the file is missing; the key itself must not be complained about.
  const own = key.replaceAll("[]", "[0]").replaceAll("NAME", "nightly");
  expect(problems.filter((one) => one.key === own)).toEqual([]);
});
