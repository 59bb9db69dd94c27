import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { watchFolders } from "./folder-watch.ts";

const HOUR_MS = 3_600_000;

test("a file that appears in one of the folders wakes the command", async () => {
  const folders = ["one", "two"].map((name) => mkdtempSync(join(tmpdir(), `pawl-watch-${name}-`)));
  const watcher = watchFolders(folders);
  const woken = watcher.changed(HOUR_MS);
  writeFileSync(join(folders[1] ?? "", "daemon.sock"), "");
  expect(await woken).toBe(true);
  watcher.close();
  for (const folder of folders) rmSync(folder, { recursive: true });
});

test("a change between two waits is not missed", async () => {
  const folder = mkdtempSync(join(tmpdir(), "pawl-watch-"));
  const watcher = watchFolders([folder]);
  const first = watcher.changed(HOUR_MS);
  writeFileSync(join(folder, "one"), "");
  await first;
  writeFileSync(join(folder, "two"), "");
  // The event of the second file comes while the command does not wait.
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  expect(await watcher.changed(HOUR_MS)).toBe(true);
  watcher.close();
  rmSync(folder, { recursive: true });
});

test("a folder that cannot be watched leaves the command to look for itself", async () => {
  const watcher = watchFolders(["/nowhere/at/all"]);
  // At once, because it is not known what happened before; then after a while.
  await watcher.changed();
  expect(await watcher.changed(0)).toBe(false);
  watcher.close();
});
