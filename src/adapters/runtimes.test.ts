import { expect, test } from "vitest";
import { lostInWalls, RUNTIMES, runtimeNamed } from "./runtimes.ts";

test("a runtime is found by its name, and no two have the same", () => {
  const names = RUNTIMES.map(({ name }) => name);
  expect(names).toEqual([...new Set(names)]);
  for (const runtime of RUNTIMES) expect(runtimeNamed(runtime.name)).toBe(runtime);
  expect(runtimeNamed("nothing")).toBeUndefined();
});

/** Keys of [agent] beside which the tables of the runtimes stand. */
const TAKEN = ["runtime", "command", "pass_env", "env", "after_limit", "limit_retry"];

test("no table of settings hides another key of [agent]", () => {
  const tables = RUNTIMES.filter(({ settings }) => settings !== undefined);
  expect(tables.filter(({ name }) => TAKEN.includes(name))).toEqual([]);
});

test.each(RUNTIMES)("$name can be loaded and described", async (runtime) => {
  const agent = { runtime: runtime.name, command: ["agent"], passEnv: [], env: {} };
  expect(runtime.describe(agent)).not.toBe("");
  expect(await runtime.load()).toMatchObject({ launch: expect.any(Function) });
});

test.each(RUNTIMES)(
  "$name works inside walls only if its state is placed there",
  async (runtime) => {
    const { state } = await runtime.load();
    const hasNone = runtime.name === "script";
    expect(runtime.worksInWalls === true).toBe(state !== undefined || hasNone);
  },
);

test("what is lost inside walls is said of programs whose folders Pawl does not know", () => {
  expect(lostInWalls("acp")).toContain("does not find its login and its conversations inside");
  expect(lostInWalls("acp", ["~/.agent"])).toBeUndefined();
  const others = RUNTIMES.filter(({ name }) => name !== "acp");
  for (const { name } of others) expect(lostInWalls(name)).toBeUndefined();
});
