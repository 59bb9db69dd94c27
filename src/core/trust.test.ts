import { expect, test } from "vitest";
import { mayInstruct, mayJudge } from "./trust.ts";

const forge = { kind: "gitea", url: "https://f.example", owner: "Ada", repo: "toy" } as const;
const trust = { authors: ["bob"] };

test.each([
  ["the built-in tracker", {}, "anyone", true],
  ["a forge: its owner", { forge }, "ada", true],
  ["a forge: a stranger", { forge }, "eve", false],
  ["a list: who is on it", { forge, trust }, "Bob", true],
  ["a list: not even the owner otherwise", { forge, trust }, "ada", false],
  ["a list, without a forge", { trust }, "eve", false],
  ["an unknown author", { trust }, undefined, false],
])("on %s (%j), %s may instruct: %s", (...[, rules, author, may]) => {
  expect(mayInstruct(rules, author)).toBe(may);
});

test("reviews of everybody count unless a list says whose", () => {
  expect(mayJudge({ forge }, "eve")).toBe(true);
  expect([mayJudge({ trust }, "eve"), mayJudge({ trust }, "bob")]).toEqual([false, true]);
});
