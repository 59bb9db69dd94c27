import { expect, test } from "vitest";
import { askedOnForge } from "./operators.ts";

const FORGE = { kind: "gitea", url: "https://x", owner: "ada", repo: "r" } as const;

test("the owner is asked where pawl.toml names no account, and none where it names an empty list", () => {
  expect(askedOnForge(FORGE)).toEqual(["ada"]);
  expect(askedOnForge({ ...FORGE, operators: ["bo"] })).toEqual(["bo"]);
  expect(askedOnForge({ ...FORGE, operators: [] })).toEqual([]);
  expect(askedOnForge(undefined)).toEqual([]);
});
