import { expect, test } from "vitest";
import { projectName, runAggregate, runId } from "../../core/ids.ts";
import type { OutboxRow } from "../../ports/store.ts";
import { createMemoryStore } from "../../store/memory.ts";
import type { DeathNotes } from "./death-notes.ts";
import { findPoison } from "./poison.ts";

const aggregate = runAggregate(projectName("toy"), runId("1.1"));
const row = (key: string): OutboxRow =>
  ({ key, aggregate, lane: key, effect: { kind: "land" } }) as unknown as OutboxRow;

/** A daemon was aborted while these were under way. */
const aborted = (id: string, ...keys: string[]): DeathNotes => ({
  during: (_, work) => work(),
  last: () => undefined,
  aborted: () => ({ id, keys }),
  forget: () => undefined,
  close: () => undefined,
});

test("of several effects that were under way at an abort, the one that is there each time is blamed", async () => {
  const store = createMemoryStore();
  const rows = ["a", "b", "c"].map(row);
  const first = await findPoison(store, aborted("1", "a", "b"), rows);
  expect([...first.suspects]).toEqual(["a", "b"]);
  // The same note again, because the daemon that read it was killed, counts once.
  expect((await findPoison(store, aborted("1", "a", "b"), rows)).poison.size).toBe(0);
  const second = await findPoison(store, aborted("2", "b", "c"), rows);
  expect([...second.suspects]).toEqual(["b"]);
  expect(second.poison.size).toBe(0);
  const third = await findPoison(store, aborted("3", "b", "c"), rows);
  expect([...third.poison.keys()]).toEqual(["b"]);
});

test("an effect that was done meanwhile is suspected no more", async () => {
  const store = createMemoryStore();
  await findPoison(store, aborted("1", "a", "b"), ["a", "b"].map(row));
  const { suspects, poison } = await findPoison(store, aborted("2", "c"), ["b", "c"].map(row));
  expect([...suspects]).toEqual(["c"]);
  expect(poison.size).toBe(0);
});
