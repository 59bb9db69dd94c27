import { expect, test } from "vitest";
import { attemptsOf, lastSpawn } from "./ledger.ts";
import type { Entry } from "./ledger.ts";

const git = { head: undefined, dirty: {} };
const spawned = (name: string, story = "5.3"): Entry => ({
  kind: "spawned",
  at: 1,
  name,
  step: "dev",
  story,
  agent: "claude",
  git,
});
const ended = (name: string, finalState: string): Entry => ({
  kind: "ended",
  at: 2,
  name,
  finalState,
  reason: "",
  verified: false,
  todosDone: 0,
  networkError: false,
});
const TASK = { step: "dev", story: "5-3-login" };

test("attempts are those of the same step and story, and one session is one attempt", () => {
  const entries = [
    spawned("a"),
    ended("a", "stuck"),
    ended("a", "crashed"),
    spawned("b", "5.30"),
    ended("b", "stuck"),
  ];
  expect(attemptsOf(entries, TASK).map(({ finalState }) => finalState)).toEqual(["crashed"]);
  expect(lastSpawn(entries, TASK)?.name).toBe("a");
});

test("after a person was asked, the next spawn resets the count", () => {
  const asked: Entry = { kind: "escalated", at: 3, step: "dev", story: "5.3" };
  const before = [spawned("a"), ended("a", "crashed"), asked];
  expect(attemptsOf(before, TASK)).toHaveLength(1);
  expect(attemptsOf([...before, spawned("b")], TASK)).toEqual([]);
});
