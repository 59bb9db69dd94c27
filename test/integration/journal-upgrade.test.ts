// A journal of the version before the archive, written by that version's own `pawl demo` and
// multiplied to 30 days of 100 runs, is upgraded with nothing lost, however often that is killed.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { zstdDecompressSync } from "node:zlib";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { AggregateId } from "../../src/core/ids.ts";
import { openSqliteStore } from "../../src/store/sqlite/open.ts";

const DEMO = new URL("../fixtures/journals/v1-demo.db.zst", import.meta.url);
const UPGRADE = fileURLToPath(new URL("support/upgrade-and-die.ts", import.meta.url));
const RUNS = 3000;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "pawl-upgrade-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

type Row = { id: AggregateId; state: string; version: number };

/** The demo's eight runs again and again, under other numbers. */
function writeOldJournal(path: string): Map<AggregateId, Row> {
  writeFileSync(path, zstdDecompressSync(readFileSync(DEMO)));
  const db = new DatabaseSync(path);
  const runs = db.prepare("SELECT * FROM aggregates WHERE id LIKE 'run:%'").all() as Row[];
  const add = db.prepare(
    "INSERT INTO aggregates (id, project, version, state) VALUES (?, 'demo', ?, ?)",
  );
  db.exec("BEGIN");
  for (let n = 0; n < RUNS; n += 1) {
    const { state, version } = runs[n % runs.length] as Row;
    const name = `${1000 + n}.1`;
    const copy = { ...(JSON.parse(state) as object), id: name, identity: `dev-${1000 + n}` };
    add.run(`run:demo/${name}`, version, JSON.stringify(copy));
  }
  db.exec("COMMIT");
  const all = db.prepare("SELECT id, state, version FROM aggregates").all() as Row[];
  db.close();
  return new Map(all.map((row) => [row.id, row]));
}

/** What was stored, under the names that this version has for it. */
const asCalledNow = (state: string): object =>
  JSON.parse(
    state.replaceAll('"farewellMs":', '"exitMs":').replaceAll('"farewellAt":', '"exitBy":'),
  ) as object;

const upgrade = (path: string, ...words: string[]): NodeJS.Signals | number | null => {
  const done = spawnSync(process.execPath, [UPGRADE, path, ...words], { encoding: "utf8" });
  if (done.stderr.includes("Error")) throw new Error(done.stderr);
  return done.signal ?? done.status;
};

test("a journal of the version before is upgraded with nothing lost, although it is killed again and again", async () => {
  const path = join(folder, "pawl.db");
  const before = writeOldJournal(path);
  expect(upgrade(path, "before", "1")).toBe("SIGKILL");
  expect(upgrade(path, "after", "1")).toBe("SIGKILL");
  expect(upgrade(path, "before", "3")).toBe("SIGKILL");
  expect(upgrade(path, "after", "2")).toBe("SIGKILL");
  expect(upgrade(path)).toBe(0);

  const store = await openSqliteStore(path);
  for (const [id, row] of before) {
    expect((await store.load(id))?.state, id).toMatchObject(asCalledNow(row.state));
  }
  expect((await store.aggregates()).map(({ id }) => id)).toEqual(["project:demo", "queue:demo"]);
  const history = await store.history({ kind: "run", limit: 10_000 });
  expect(history).toHaveLength(RUNS + 8);
  expect(new Set(history.map(({ outcome }) => outcome))).toEqual(new Set(["landed"]));
  const query = { kind: "run", project: history[0]!.project, name: "dev-1007", limit: 5 } as const;
  expect((await store.named(query)).map(({ id }) => id)).toEqual(["run:demo/1007.1"]);
  expect(await store.events({ limit: 10_000 })).toHaveLength(282);
  await store.close();
});
