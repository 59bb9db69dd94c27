// A full disk, for real: the journal on a tmpfs of one megabyte. Needs the right to mount; where it
// is missing the tests are skipped, aloud.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { AggregateState } from "../../src/core/step.ts";
import type { Store } from "../../src/ports/store.ts";
import { openSqliteStore } from "../../src/store/sqlite/open.ts";

const folder = mkdtempSync(join(tmpdir(), "pawl-full-"));
const disk = join(folder, "disk");
mkdirSync(disk);
const system = (tool: string, ...args: string[]) =>
  spawnSync(tool, args, { timeout: 10_000, encoding: "utf8" });
const mounted = system("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", disk);
const canMount = mounted.status === 0;
if (!canMount) {
  console.warn(`SKIPPED: full-disk tests cannot mount a tmpfs here: ${mounted.stderr}`);
}

const state = (value: unknown): AggregateState => ({ kind: "queue", value }) as never;

let store: Store;
beforeAll(async () => {
  if (canMount) store = await openSqliteStore(join(disk, "pawl.db"));
});
afterAll(async () => {
  if (canMount) {
    await store.close();
    system("umount", disk);
  }
  rmSync(folder, { recursive: true, force: true });
});

/** Writes until the disk refuses; how often it went well, and the refusal. */
async function fill(): Promise<{ written: number; refusal: unknown }> {
  for (let written = 0; written < 1_000; written += 1) {
    try {
      await store.transaction(async (tx) => {
        await tx.save("queue:demo", state("x".repeat(10_000)), written);
        await tx.records.put("fill", `${written}`, "y".repeat(10_000));
      });
    } catch (refusal) {
      return { written, refusal };
    }
  }
  return { written: 1_000, refusal: undefined };
}

test.skipIf(!canMount)("a full disk is told, loses nothing, and passes", async () => {
  const ballast = join(disk, "ballast");
  writeFileSync(ballast, "z".repeat(300_000));
  const { written, refusal } = await fill();
  expect(refusal).toMatchObject({
    code: "store-full",
    retryable: true,
    hint: expect.stringContaining("free some space"),
  });
  expect(written).toBeGreaterThan(0);
  expect(await store.records.list("fill")).toHaveLength(written);
  expect((await store.load("queue:demo"))?.version).toBe(written);
  expect(await store.nextWake()).toBe(written - 1);

  const copy = store.backup(join(disk, "copy.db"));
  await expect(copy).rejects.toMatchObject({ code: "store-full" });

  rmSync(ballast);
  await store.transaction((tx) => tx.save("queue:demo", state("goes on"), undefined));
  expect((await store.load("queue:demo"))?.state).toEqual(state("goes on"));
});

test.skipIf(!canMount)("work that hides the refusal of a full disk is not committed", async () => {
  await store.transaction((tx) => tx.save("queue:other", state("before"), undefined));
  const hiding = store.transaction(async (tx) => {
    await tx.save("queue:other", state("after"), undefined);
    try {
      await tx.records.put("fill", "huge", "y".repeat(9_000_000));
    } catch {
      // Hidden on purpose: the transaction must still fail as a whole.
    }
    await tx.save("queue:other", state("alone"), undefined).catch(() => {});
    return "pretends to be fine";
  });
  await expect(hiding).rejects.toMatchObject({ code: "store-full" });
  expect((await store.load("queue:other"))?.state).toEqual(state("before"));
});
