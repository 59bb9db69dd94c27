import { expect, test } from "vitest";
import { createWorld, queued } from "../../../test/support/queue-world.ts";
import { entryById, isFrozen, isLanding, isLandingBranch, record, withEntries } from "./queue.ts";
import { commitId } from "../ids.ts";

const queue = { ...createWorld({}).queue, entries: [queued("a"), queued("b", { id: 2 })] };

test("the evidence is bounded: the latest is kept", () => {
  let next = queue;
  for (let at = 0; at < 300; at += 1) {
    next = record(next, { kind: "landed", at, entries: [1], commit: commitId("c") });
  }
  expect(next.records.length).toBe(200);
  expect(next.records.at(-1)?.at).toBe(299);
});

test("changing some entries leaves the others the same objects", () => {
  const next = withEntries(queue, [2], (entry) => ({ ...entry, solo: true }));
  expect(next.entries[0]).toBe(queue.entries[0]);
  expect(entryById(next, 2)?.solo).toBe(true);
});

test("a queue is frozen while it is paused, stopped, or waits after trouble", () => {
  expect(isFrozen(queue, 0)).toBe(false);
  expect(isFrozen({ ...queue, paused: { by: "op", why: "w", at: 0 } }, 0)).toBe(true);
  const trouble = { count: 1, message: "m", until: 10 };
  expect(isFrozen({ ...queue, trouble }, 9)).toBe(true);
  expect(isFrozen({ ...queue, trouble }, 10)).toBe(false);
});

test("an entry is landing while a landing under way contains it", () => {
  const commit = commitId("c");
  const landing = { ref: "1", at: 0, entries: [2], commit, expected: commit };
  expect(isLanding({ ...queue, landing }, 2)).toBe(true);
  expect(isLanding({ ...queue, landing }, 1)).toBe(false);
  const [a = "", b = ""] = queue.entries.map((entry) => entry.branch);
  expect(isLandingBranch({ ...queue, landing }, b)).toBe(true);
  expect(isLandingBranch({ ...queue, landing }, a)).toBe(false);
  expect(isLandingBranch(queue, b)).toBe(false);
});
