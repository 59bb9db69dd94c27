import { expect, test } from "vitest";
import { lazily } from "./lazily.ts";

test("an object is loaded at the first call of a method, and only once", async () => {
  let loads = 0;
  const greeter = lazily({ greet: true }, async () => {
    loads += 1;
    return { greet: async (name: string) => `hello ${name}` };
  });
  expect(loads).toBe(0);
  expect(await Promise.all([greeter.greet("a"), greeter.greet("b")])).toEqual([
    "hello a",
    "hello b",
  ]);
  expect(loads).toBe(1);
});

test("a lazy object has its methods before it is loaded", () => {
  const lazy = lazily({ one: true, two: true }, async () => ({
    one: async () => 1,
    two: async () => 2,
  }));
  expect(Object.keys(lazy)).toEqual(["one", "two"]);
});

test("a failure to load is the failure of the call", async () => {
  const broken = lazily<{ one(): Promise<number> }>({ one: true }, async () => {
    throw new Error("cannot be loaded");
  });
  await expect(broken.one()).rejects.toThrow("cannot be loaded");
});
