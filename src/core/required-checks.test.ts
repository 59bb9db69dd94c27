import { expect, test } from "vitest";
import type { ServerCiConfig } from "./config.ts";
import { eventsIn, missingRequirement } from "./required-checks.ts";

const forge = (contexts: string[]): ServerCiConfig => ({
  kind: "forge",
  contexts,
  timeoutMs: 1,
  pollMs: 1,
});
const woodpecker = (events: ("push" | "pull_request")[]): ServerCiConfig => ({
  kind: "woodpecker",
  url: undefined,
  repo: 1,
  events,
  timeoutMs: 1,
  pollMs: 1,
});
const facts = { target: "main", protection: [], seen: ["test", "pawl/ci", "lint"] };

test("checks that neither pawl.toml nor the protection names are refused with the line to write", () => {
  expect(missingRequirement(forge([]), facts)).toContain('contexts = ["lint", "test"]');
  expect(missingRequirement(forge([]), { ...facts, seen: [] })).toContain('contexts = ["test"]');
  expect(missingRequirement(forge(["a"]), facts)).toBeUndefined();
  expect(missingRequirement(forge([]), { ...facts, protection: ["a"] })).toBeUndefined();
});

test("pipelines of Woodpecker are named by their events, or by contexts that a protection requires", () => {
  const line = 'events = ["push", "pull_request"]';
  expect(missingRequirement(woodpecker([]), facts)).toContain(line);
  expect(missingRequirement(woodpecker([]), { ...facts, protection: ["lint"] })).toContain(line);
  expect(missingRequirement(woodpecker(["push"]), facts)).toBeUndefined();
  const protection = ["ci/woodpecker/pr/test", "ci/woodpecker/pr/lint", "ci/woodpecker/push"];
  expect(eventsIn(protection)).toEqual(["pull_request", "push"]);
  expect(missingRequirement(woodpecker([]), { ...facts, protection })).toBeUndefined();
});
