import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isStaleLock, noteBoot } from "./stale-lock.ts";

const NOW = Date.now();

test("a lock of an earlier boot is stale at once, one of this boot after a quarter of an hour", async () => {
  const hub = mkdtempSync(join(tmpdir(), "pawl-lock-"));
  mkdirSync(join(hub, "pawl"));
  const lock = join(hub, "packed-refs.lock");
  writeFileSync(lock, "");
  const isStale = (boot: string): Promise<boolean> =>
    isStaleLock(hub, "packed-refs.lock", { now: NOW, boot });
  // A hub of a version that noted no boot.
  expect(await isStale("@one")).toBe(false);
  await noteBoot(hub, "@one");
  expect(await isStale("@one")).toBe(false);
  expect(await isStale("@two")).toBe(true);
  await noteBoot(hub, "@two");
  expect(await isStale("@two")).toBe(false);
  utimesSync(lock, NOW / 1000 - 1_000, NOW / 1000 - 1_000);
  expect(await isStale("@two")).toBe(true);
  expect(await isStaleLock(hub, "none.lock", { now: NOW, boot: "@three" })).toBe(false);
  rmSync(hub, { recursive: true });
});

test("the lock of a single ref is stale after a minute", async () => {
  const hub = mkdtempSync(join(tmpdir(), "pawl-lock-"));
  const name = "refs/pawl/target/main.lock";
  mkdirSync(join(hub, "refs/pawl/target"), { recursive: true });
  writeFileSync(join(hub, name), "");
  const isStale = (after: number) => isStaleLock(hub, name, { now: NOW + after, boot: "@one" });
  expect(await isStale(30_000)).toBe(false);
  expect(await isStale(120_000)).toBe(true);
  rmSync(hub, { recursive: true });
});
