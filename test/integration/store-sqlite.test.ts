// The journal on real files: the conformance suite and the built-in tracker on it, then what only
// a disk can show: crashes, other programs, old and new versions, growth.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createBuiltinForge } from "../../src/adapters/forge-builtin/builtin-forge.ts";
import type { Event } from "../../src/core/event.ts";
import { commitId, projectAggregate, projectName } from "../../src/core/ids.ts";
import type { AggregateState } from "../../src/core/step.ts";
import { forgeContract } from "../../src/ports/forge.contract.ts";
import { keptChangesTests } from "../../src/store/changes.contract.ts";
import { storeConformance } from "../../src/store/conformance.ts";
import { MIGRATIONS } from "../../src/store/sqlite/migrations/list.ts";
import { openReadOnly, openSqliteStore } from "../../src/store/sqlite/open.ts";
import { startNode } from "./support/node-child.ts";

let folder: string;
let path: string;
let count = 0;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "pawl-store-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeEach(() => {
  count += 1;
  path = join(folder, `${count}`, "pawl.db");
});

const state = (value: unknown): AggregateState => ({ kind: "queue", value }) as never;
const event = (at: number, text = ""): Event => ({ kind: "deadline-passed", at, text }) as never;
const ID = "queue:demo";
const mode = (file: string): string => (statSync(file).mode & 0o777).toString(8);

storeConformance("the SQLite store", () => openSqliteStore(path));
keptChangesTests(() => openSqliteStore(path, MIGRATIONS, 5));

forgeContract("the built-in tracker on SQLite", async () => {
  const store = await openSqliteStore(path);
  const project = projectName("demo");
  let pushed = 0;
  return {
    forge: createBuiltinForge({ store, project, now: () => 1_000 }),
    async push() {
      pushed += 1;
      return commitId(String(pushed).padStart(40, "0"));
    },
    land: async () => undefined,
    close: () => store.close(),
  };
});

describe("files", () => {
  test("the journal, its log and its folder are for their owner only", async () => {
    const store = await openSqliteStore(path);
    await store.transaction((tx) => tx.save(ID, state(1), undefined));
    const modes = [path, `${path}-wal`, `${path}-shm`].map(mode);
    expect([mode(join(path, "..")), ...modes]).toEqual(["700", "600", "600", "600"]);
    await store.close();
    expect(readdirSync(join(path, ".."))).toEqual(["pawl.db"]);
  });

  test("what was committed is there after closing and opening", async () => {
    const first = await openSqliteStore(path);
    await first.transaction((tx) => tx.save(ID, state("kept"), 5));
    await first.close();
    const second = await openSqliteStore(path);
    expect(await second.load(ID)).toEqual({ id: ID, version: 1, state: state("kept") });
    await second.close();
  });

  test("issues without the label that is asked for are not parsed", async () => {
    const id = projectAggregate(projectName("demo"));
    const issue = (number: number, labels: string[]) => {
      return { number, title: "", labels, createdAt: number, unmet: [] };
    };
    const project = (...backlog: object[]) =>
      ({ kind: "project", name: "demo", backlog }) as unknown as AggregateState;
    const first = await openSqliteStore(path);
    const saved = project(issue(1, ["in-progress"]), issue(2, ["bug"]));
    await first.transaction((tx) => tx.save(id, saved, undefined));
    await first.close();
    using db = new DatabaseSync(path);
    db.exec("UPDATE backlog SET facts = 'no JSON' WHERE number = 2");
    const second = await openSqliteStore(path);
    expect(await second.aggregates({ labelled: "in-progress" })).toMatchObject([
      { state: project(issue(1, ["in-progress"])) },
    ]);
    await expect(second.load(id)).rejects.toMatchObject({ code: "store-corrupt" });
    await second.close();
  });

  test("the backlog of a project that is listed is not kept in memory, and that of a loaded one is", async () => {
    const id = projectAggregate(projectName("demo"));
    const issue = { number: 1, title: "", labels: [], createdAt: 1, unmet: [] };
    const saved = { kind: "project", name: "demo", backlog: [issue] } as unknown as AggregateState;
    const first = await openSqliteStore(path);
    await first.transaction((tx) => tx.save(id, saved, undefined));
    await first.close();
    const second = await openSqliteStore(path);
    using db = new DatabaseSync(path);
    const listed = async () => (await second.aggregates({ kind: "project" }))[0]?.state;
    expect(await listed()).toEqual(saved);
    db.exec("UPDATE backlog SET facts = json_set(facts, '$.title', 'read again')");
    const again = { ...saved, backlog: [{ ...issue, title: "read again" }] };
    expect(await listed()).toEqual(again);
    expect((await second.load(id))?.state).toEqual(again);
    db.exec("UPDATE backlog SET facts = 'no JSON'");
    expect((await second.load(id))?.state).toEqual(again);
    expect(await listed()).toEqual(again);
    await second.close();
  });

  test("a journal that is no database is refused with the way to a backup", async () => {
    const store = await openSqliteStore(path);
    await store.close();
    writeFileSync(path, "this is not a database, but long enough to have a header\n".repeat(20));
    const hint = expect.stringContaining("backup");
    await expect(openSqliteStore(path)).rejects.toMatchObject({ code: "store-corrupt", hint });
    await expect(openReadOnly(path)).rejects.toMatchObject({ code: "store-corrupt", hint });
  });

  test("a folder that cannot be made is told as such", async () => {
    const attempt = openSqliteStore("/proc/pawl/pawl.db");
    await expect(attempt).rejects.toMatchObject({ code: "store-io" });
  });
});

describe("crashes", () => {
  const commits = `
    const store = await openSqliteStore(path);
    await store.transaction((tx) => tx.save("queue:demo", { kind: "queue", value: "kept" }, 7));
    await store.transaction(async (tx) => {
      await tx.save("queue:demo", { kind: "queue", value: "lost" }, 1);
      await tx.append("queue:demo", { kind: "deadline-passed", at: 1 });
      console.log("open");
      await new Promise((resolve) => setTimeout(resolve, 60_000));
    });`;

  test("kill -9 inside a transaction leaves exactly what was committed", async () => {
    const child = startNode({ code: commits, imports: ["sqlite/open.ts openSqliteStore"], path });
    await child.line("open");
    await child.kill();
    const reader = await openReadOnly(path);
    expect(await reader?.load(ID)).toEqual({ id: ID, version: 1, state: state("kept") });
    await reader?.close();
    const store = await openSqliteStore(path);
    expect(await store.nextWake()).toBe(7);
    expect(await store.events({ limit: 9 })).toEqual([]);
    await store.transaction((tx) => tx.save(ID, state("goes on"), undefined));
    await store.close();
  });

  test("a command reads while another program has a transaction open", async () => {
    const child = startNode({ code: commits, imports: ["sqlite/open.ts openSqliteStore"], path });
    await child.line("open");
    const reader = await openReadOnly(path);
    expect((await reader?.load(ID))?.state).toEqual(state("kept"));
    expect(await reader?.records.list("none")).toEqual([]);
    await reader?.close();
    await child.kill();
  });
});

describe("reading only", () => {
  test("a journal that does not exist yet is undefined and is not made", async () => {
    expect(await openReadOnly(path)).toBeUndefined();
    expect(existsSync(path)).toBe(false);
  });

  test("a journal that is just being made is undefined", async () => {
    mkdirSync(join(path, ".."));
    writeFileSync(path, "");
    expect(await openReadOnly(path)).toBeUndefined();
    const db = new DatabaseSync(path);
    db.exec("PRAGMA journal_mode = WAL");
    expect(await openReadOnly(path)).toBeUndefined();
    db.close();
  });

  test("a reader sees each commit of a writer at once", async () => {
    const store = await openSqliteStore(path);
    const reader = await openReadOnly(path);
    for (const value of [1, 2, 3]) {
      await store.transaction((tx) => tx.save(ID, state(value), undefined));
      expect((await reader?.load(ID))?.state).toEqual(state(value));
    }
    await reader?.close();
    await store.close();
  });
});

describe("versions", () => {
  const known = MIGRATIONS.length;
  const added = { name: "0002-added.sql", sql: () => "CREATE TABLE added (x) STRICT, WITHOUT" };
  const good = { name: "0002-good.sql", sql: () => "CREATE TABLE added (x TEXT) STRICT" };

  async function makeJournal(): Promise<void> {
    const store = await openSqliteStore(path);
    await store.transaction((tx) => tx.save(ID, state("old"), undefined));
    await store.close();
  }

  test("an older journal is copied, then migrated", async () => {
    await makeJournal();
    const store = await openSqliteStore(path, [...MIGRATIONS, good]);
    expect((await store.load(ID))?.state).toEqual(state("old"));
    await store.close();
    expect(mode(`${path}.v${known}.backup`)).toBe("600");
    const copy = await openReadOnly(`${path}.v${known}.backup`);
    expect((await copy?.load(ID))?.state).toEqual(state("old"));
    await copy?.close();
  });

  test("a journal from before commits had numbers begins with the first one", async () => {
    const [first] = MIGRATIONS;
    mkdirSync(dirname(path), { recursive: true });
    const old = new DatabaseSync(path);
    old.exec(`${first?.sql()}; PRAGMA user_version = 1`);
    old.exec(`INSERT INTO aggregates VALUES ('${ID}', 'demo', 1, '{"kind":"queue"}', NULL)`);
    old.close();
    const store = await openSqliteStore(path);
    expect(await store.changesKept()).toEqual({ after: 0, last: 0 });
    await store.transaction((tx) => tx.save(ID, state("new"), undefined));
    expect(await store.changes({ afterSeq: 0, limit: 9 })).toEqual([{ seq: 1, aggregates: [ID] }]);
    await store.close();
  });

  test("a newer journal is refused, naming both versions and the copy to go back to", async () => {
    await makeJournal();
    await (await openSqliteStore(path, [...MIGRATIONS, good])).close();
    for (const open of [openSqliteStore, openReadOnly]) {
      await expect(open(path)).rejects.toMatchObject({
        code: "journal-newer",
        message: expect.stringContaining(`has version ${known + 1}, this Pawl knows ${known}`),
        hint: expect.stringContaining(`upgrade Pawl, or stop Pawl, move ${path}`),
      });
    }
    await expect(openSqliteStore(path)).rejects.toMatchObject({
      hint: expect.stringContaining(`pawl.db.v${known}.backup`),
    });
  });

  test("a migration that fails changes nothing", async () => {
    await makeJournal();
    const attempt = openSqliteStore(path, [...MIGRATIONS, good, added]);
    await expect(attempt).rejects.toMatchObject({ code: "migration-failed" });
    const store = await openSqliteStore(path);
    expect((await store.load(ID))?.state).toEqual(state("old"));
    await store.close();
  });

  test("a reader of an older journal is told to start the daemon", async () => {
    await makeJournal();
    const attempt = openReadOnly(path, [...MIGRATIONS, good]);
    await expect(attempt).rejects.toMatchObject({ code: "journal-older" });
  });
});

describe("copies", () => {
  test("a copy is complete and private, and replaces an older one", async () => {
    const store = await openSqliteStore(path);
    const copy = join(path, "..", "copies", "pawl.1.db");
    for (const value of ["first", "second"]) {
      await store.transaction((tx) => tx.save(ID, state(value), undefined));
      await store.backup(copy);
    }
    expect(mode(copy)).toBe("600");
    const reader = await openReadOnly(copy);
    expect((await reader?.load(ID))?.state).toEqual(state("second"));
    await reader?.close();
    expect(readdirSync(join(copy, "..")).filter((name) => name.includes("partial"))).toEqual([]);
    await store.close();
  });

  test("a copy made while transactions go on is the state of one instant", async () => {
    const store = await openSqliteStore(path);
    const write = (n: number): Promise<void> =>
      store.transaction(async (tx) => {
        await tx.records.put("c", "left", { n, fill: "x".repeat(50_000) });
        await tx.records.put("c", "right", { n });
      });
    await write(0);
    const copy = `${path}.copy`;
    let copying = true;
    const done = store.backup(copy).finally(() => {
      copying = false;
    });
    for (let n = 1; copying; n += 1) {
      await write(n);
      await new Promise(setImmediate);
    }
    await done;
    const reader = await openReadOnly(copy);
    const [left, right] = (await reader?.records.list<{ n: number }>("c")) ?? [];
    expect(left?.value.n).toBe(right?.value.n);
    await reader?.close();
    await store.close();
  });
});

describe("growth", () => {
  test("pruning gives the room of old rows back to the disk", async () => {
    const store = await openSqliteStore(path);
    const day = (start: number): Promise<void> =>
      store.transaction(async (tx) => {
        for (let at = start; at < start + 3_000; at += 1) {
          await tx.append(ID, event(at, "x".repeat(1_000)));
          await tx.takeIn(`key ${at}`, at);
        }
      });
    const sizes: number[] = [];
    for (let start = 0; start < 30_000; start += 3_000) {
      await day(start);
      await store.prune({ before: start });
      sizes.push(statSync(path).size);
    }
    const oneDay = sizes[0] ?? 0;
    expect(Math.max(...sizes)).toBeLessThan(3 * oneDay);
    await store.prune({ before: 30_000 });
    await store.transaction((tx) => tx.save(ID, state(1), undefined));
    await store.close();
    expect(statSync(path).size).toBeLessThan(oneDay / 10);
  });

  test("what is due is found by its index", async () => {
    await (await openSqliteStore(path)).close();
    const db = new DatabaseSync(path, { readOnly: true });
    const plan = (sql: string): string =>
      db
        .prepare(`EXPLAIN QUERY PLAN ${sql}`)
        .all()
        .map((row) => row["detail"])
        .join("; ");
    const due = "SELECT id FROM aggregates WHERE wake_at <= 1 ORDER BY wake_at, id";
    expect(plan(due)).toBe("SEARCH aggregates USING COVERING INDEX aggregates_by_wake (wake_at<?)");
    const next = "SELECT min(wake_at) AS at FROM aggregates WHERE wake_at NOT NULL";
    expect(plan(next)).toContain("aggregates_by_wake");
    db.close();
  });
});
