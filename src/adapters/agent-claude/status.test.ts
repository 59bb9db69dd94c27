import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { idleSince } from "./status.ts";

const place = mkdtempSync(join(tmpdir(), "pawl-status-"));
afterAll(() => rmSync(place, { recursive: true }));

/** A life that began at second 10. */
function life(records: { pid: number; at: number; status?: string }[]) {
  const dir = mkdtempSync(join(place, "life-"));
  mkdirSync(join(dir, "sessions"));
  const agent = "wrapper 77 1\npane %1\nsession s\nagent 78 1\n";
  writeFileSync(join(dir, "process"), agent);
  utimesSync(join(dir, "process"), 10, 10);
  for (const { pid, at, status = "idle" } of records) {
    const text = JSON.stringify({ pid, status, statusUpdatedAt: at * 1000 });
    writeFileSync(join(dir, "sessions", `${pid}.json`), text);
  }
  return dir;
}
const since = (dir: string, more: Record<string, string>): Promise<number | undefined> =>
  idleSince({ dir, env: { HOME: dir, CLAUDE_CONFIG_DIR: dir, ...more } });

test("without walls the record of the agent's own process counts", async () => {
  const dir = life([
    { pid: 78, at: 20 },
    { pid: 2, at: 30 },
  ]);
  expect(await since(dir, {})).toBe(20_000);
});

test("inside walls the newest record of this life counts, whatever its process number", async () => {
  const walled = { PAWL_ISOLATION: "bwrap" };
  const old = { pid: 2, at: 5 };
  expect(await since(life([old]), walled)).toBeUndefined();
  expect(await since(life([old, { pid: 14, at: 20 }]), walled)).toBe(20_000);
  const busy = { pid: 14, at: 40, status: "busy" };
  expect(await since(life([{ pid: 9, at: 20 }, busy]), walled)).toBeUndefined();
});
