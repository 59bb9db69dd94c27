// Events that arrive together are committed together: each commit of the real journal waits for the
// disk.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runAggregate, runId } from "../../src/core/ids.ts";
import { createLoop } from "../../src/daemon/engine/loop.ts";
import { noCrash } from "../../src/lib/crash-point.ts";
import type { Store } from "../../src/ports/store.ts";
import { openSqliteStore } from "../../src/store/sqlite/open.ts";
import { PROJECT, testRun } from "../support/run.ts";

const SESSIONS = 20;
const ids = Array.from({ length: SESSIONS }, (_, n) => runAggregate(PROJECT, runId(`${n + 1}.1`)));

let folder: string;
let store: Store;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "pawl-together-"));
  store = await openSqliteStore(join(folder, "pawl.db"));
  await store.transaction(async (tx) => {
    for (const id of ids) await tx.save(id, testRun(), undefined);
  });
});
afterAll(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

const letter = (to: (typeof ids)[number]) => ({
  to,
  event: {
    kind: "spool-received",
    at: 10,
    epoch: 1,
    name: "1",
    text: JSON.stringify({ v: 1, kind: "tool", at: 10 }),
  } as const,
  key: `${to}:1:spool:1:0`,
});

/** Each in a callback of its own, as the watchers of their folders are called. */
const inOneTurn = <T>(calls: (() => Promise<T>)[]): Promise<T[]> =>
  Promise.all(
    calls.map(
      (call) =>
        new Promise<T>((resolve, reject) => {
          setImmediate(() => void call().then(resolve, reject));
        }),
    ),
  );

test("letters of many sessions that are found in one turn of the event loop are one commit", async () => {
  const loop = createLoop({ store, crash: noCrash, onCommitted: () => undefined });
  const { last: before } = await store.changesKept();
  const taken = await inOneTurn(ids.map((id) => () => loop.submit(letter(id))));
  expect(taken).toEqual(ids.map(() => true));
  expect((await store.changesKept()).last - before).toBe(1);
  expect(await store.events({ limit: 2 * SESSIONS })).toHaveLength(SESSIONS);
});

test("the event loop turns between two transactions, however many wait", async () => {
  let turns = 0;
  let isOver = false;
  const count = (): void => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const writes = ids.map((id) =>
    store.transaction((tx) => tx.records.put("test", id, { turns: 0 })),
  );
  await Promise.all(writes);
  isOver = true;
  expect(turns).toBeGreaterThanOrEqual(SESSIONS);
});
