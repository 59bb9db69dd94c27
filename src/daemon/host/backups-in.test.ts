import { mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { backupsIn } from "./backups-in.ts";

const DAY_MS = 86_400_000;
const NOW = 1_000 * DAY_MS;
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "pawl-backups-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function backup(name: string, madeAt: number): void {
  writeFileSync(join(folder, name), "journal");
  utimesSync(join(folder, name), new Date(madeAt), new Date(madeAt));
}

const listed = async (): Promise<string[]> =>
  (await backupsIn(folder, NOW)).map(({ path }) => basename(path));

test("backups are listed newest first, and nothing else is", async () => {
  backup(`pawl-${NOW - 2 * DAY_MS}.db`, NOW - 2 * DAY_MS);
  backup(`pawl-${NOW}.db`, NOW);
  // A name with fewer digits is no later one.
  backup("pawl-99.db", NOW - 3 * DAY_MS);
  backup("pawl-5.db.partial", NOW);
  expect(await listed()).toEqual([`pawl-${NOW}.db`, `pawl-${NOW - 2 * DAY_MS}.db`, "pawl-99.db"]);
  expect((await backupsIn(folder, NOW))[0]?.madeAt).toBe(NOW);
});

test("a backup of a clock that was ahead is the newest only where there is no other", async () => {
  backup(`pawl-${NOW + 300 * DAY_MS}.db`, NOW + 300 * DAY_MS);
  backup(`pawl-${NOW + 200 * DAY_MS}.db`, NOW - DAY_MS);
  const ahead = [`pawl-${NOW + 300 * DAY_MS}.db`, `pawl-${NOW + 200 * DAY_MS}.db`];
  expect(await listed()).toEqual(ahead);
  backup(`pawl-${NOW - DAY_MS}.db`, NOW - DAY_MS);
  expect(await listed()).toEqual([`pawl-${NOW - DAY_MS}.db`, ...ahead]);
});

test("a copy that kept no times changes no order", async () => {
  backup(`pawl-${NOW - DAY_MS}.db`, NOW - 2);
  backup(`pawl-${NOW - 3 * DAY_MS}.db`, NOW - 1);
  expect(await listed()).toEqual([`pawl-${NOW - DAY_MS}.db`, `pawl-${NOW - 3 * DAY_MS}.db`]);
});

test("where no backup was made there is none", async () => {
  expect(await backupsIn(join(folder, "absent"), NOW)).toEqual([]);
});
