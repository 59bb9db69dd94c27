import { expect, test } from "vitest";
import { addressOf, reaches } from "./address.ts";

test.each([
  ["operator", { kind: "operator" }],
  [" deacon ", { kind: "patrol", name: "deacon" }],
  ["dev", { kind: "role", role: "dev" }],
  ["dev-42", { kind: "identity", identity: "dev-42" }],
  ["planner-weekly", { kind: "identity", identity: "planner-weekly" }],
  ["mallory", undefined],
  ["dev-", undefined],
  ["dev-a b", undefined],
  ["", undefined],
])("%j means %j", (text, address) => {
  expect(addressOf(text)).toEqual(address);
});

test("a letter to a role reaches everybody of it, one to an identity only that one", () => {
  const worker = { identity: "dev-4", role: "dev" };
  expect(["dev", "dev-4", "dev-5", "review", "operator"].map((to) => reaches(to, worker))).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
});
