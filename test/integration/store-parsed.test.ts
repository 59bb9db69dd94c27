// States are kept parsed in memory: what a store says is still what is in the file, whatever was
// committed, rolled back or archived before.
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { HistoryEntry } from "../../src/core/history.ts";
import { projectName, type AggregateId } from "../../src/core/ids.ts";
import type { AggregateState } from "../../src/core/step.ts";
import type { StoreReader, Transaction } from "../../src/ports/store.ts";
import { openReadOnly, openSqliteStore } from "../../src/store/sqlite/open.ts";

const IDS: AggregateId[] = ["queue:a", "queue:b", "gate:a/1" as AggregateId, "project:a"];
const state = (value: number, id = "queue:a"): AggregateState =>
  (id.startsWith("project:")
    ? { kind: "project", name: "a", value, backlog: BACKLOGS[value] }
    : { kind: "queue", value }) as never;
/** Issues come, change and go; some backlogs are the same array, as after an event about others. */
const issue = (number: number, title: string) => {
  return { number, title, labels: [], createdAt: number, unmet: [] };
};
const KEPT = issue(2, "kept");
const BOTH = [issue(1, "one"), KEPT];
const BACKLOGS = [[], BOTH, BOTH, [issue(1, "other"), KEPT], [KEPT], [KEPT, issue(3, "three")]];

const entry: HistoryEntry = {
  project: projectName("a"),
  kind: "gate",
  reference: "1",
  title: "t",
  outcome: "met",
  startedAt: 0,
  endedAt: 1,
  tokens: 0,
  usd: 0,
  lastWords: "",
  names: [],
};

class RolledBack extends Error {}

type Change = { id: number; value: number; how: "save" | "archive" | "load" | "read" };
type Round = { changes: Change[]; fails: boolean };

const change = fc.record<Change>({
  id: fc.nat(IDS.length - 1),
  value: fc.nat(5),
  how: fc.constantFrom("save", "save", "archive", "load", "read"),
});
const rounds = fc.array(
  fc.record<Round>({ changes: fc.array(change, { maxLength: 5 }), fails: fc.boolean() }),
  { maxLength: 12 },
);

/** `load` inside the transaction sees its own writes, `read` outside it the last commit. */
async function apply(tx: Transaction, store: StoreReader, { id: at, value, how }: Change) {
  const id = IDS[at] as AggregateId;
  const isKept = how === "save" || (how === "archive" && !id.startsWith("project:"));
  if (how === "save") await tx.save(id, state(value, id), undefined);
  else if (isKept) await tx.archive(id, state(value), entry);
  if (how === "read") await store.load(id);
  const found = (await tx.load(id))?.state;
  const wanted = isKept ? state(value, id) : found;
  expect(found).toEqual(wanted);
}

const everything = async (store: StoreReader) => ({
  loaded: await Promise.all(IDS.map((id) => store.load(id))),
  listed: await store.aggregates(),
  brief: await store.aggregates({ isBrief: true }),
  queues: await store.aggregates({ kind: "queue", project: projectName("b") }),
});

test("after any commits, rollbacks and archivings a store reads what the file holds", async () => {
  const folder = mkdtempSync("/tmp/pawl-parsed-");
  let journals = 0;
  const run = async (all: Round[]): Promise<void> => {
    const path = join(folder, String((journals += 1)), "pawl.db");
    await using store = await closing(openSqliteStore(path));
    for (const { changes, fails } of all) {
      const done = store.transaction(async (tx) => {
        for (const one of changes) await apply(tx, store, one);
        if (fails) throw new RolledBack();
        return "committed";
      });
      const end = await done.catch((error: unknown) => {
        if (error instanceof RolledBack) return "rolled back";
        throw error;
      });
      expect(end).toBe(fails ? "rolled back" : "committed");
      await using fresh = await closing(openReadOnly(path));
      expect(await everything(store)).toEqual(await everything(fresh));
    }
  };
  try {
    await fc.assert(fc.asyncProperty(rounds, run), { numRuns: 60 });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("a state that did not change is not parsed again, inside a transaction and outside", async () => {
  const folder = mkdtempSync("/tmp/pawl-parsed-");
  await using store = await closing(openSqliteStore(join(folder, "pawl.db")));
  await store.transaction((tx) => tx.save("queue:a", state(1), undefined));
  const first = await store.load("queue:a");
  expect((await store.load("queue:a"))?.state).toBe(first?.state);
  expect((await store.aggregates({ kind: "queue" }))[0]?.state).toBe(first?.state);
  const inside = await store.transaction((tx) => tx.load("queue:a"));
  expect(inside?.state).toBe(first?.state);
  rmSync(folder, { recursive: true, force: true });
});

async function closing<T extends { close(): Promise<void> }>(opened: Promise<T | undefined>) {
  const store = await opened;
  if (store === undefined) throw new Error("there is no journal");
  return { ...store, [Symbol.asyncDispose]: () => store.close() };
}
