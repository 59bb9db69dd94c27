import { existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { boundPlace } from "../../../test/support/bound-place.ts";
import { systemClock } from "../../adapters/clock-system/system-clock.ts";
import type { Factory } from "./factory.ts";
import { startMaintenance } from "./maintenance.ts";

test("chores under way have ended when maintenance is closed, and no further one is begun", async () => {
  const home = mkdtempSync(join(tmpdir(), "pawl-maintenance-"));
  const pruning = Promise.withResolvers<void>();
  const folded = Promise.withResolvers<{ removed: number }>();
  const seen: string[] = [];
  const log = (level: string) => (_: object, text: string) => void seen.push(`${level}: ${text}`);
  const factory = {
    paths: { heartbeat: join(home, "heartbeat"), backups: join(home, "backups") },
    ports: { clock: systemClock },
    store: {
      prune: () => {
        pruning.resolve();
        return folded.promise;
      },
      aggregates: async () => void seen.push("the journal was read"),
      backup: async () => void seen.push("the journal was copied"),
    },
  } as unknown as Factory;
  const info = log("info");
  const maintenance = startMaintenance(factory, { info, warn: log("warn"), error: log("error") });
  // The clock does not keep a process alive, and this test waits for it.
  const alive = setInterval(() => undefined, 1000);
  await pruning.promise;
  const closed = maintenance.close().then(() => seen.push("closed"));
  folded.resolve({ removed: 1 });
  await closed;
  clearInterval(alive);
  rmSync(home, { recursive: true });
  expect(seen).toEqual(["info: the journal was folded", "closed"]);
});

test("a chore that fails is named with its reason, and keeps no later one from its turn", async () => {
  const home = mkdtempSync(join(tmpdir(), "pawl-maintenance-"));
  const tidied: string[] = [];
  const checkpoints = { thin: async () => tidied.push("thin"), tidy: async () => undefined };
  const { place, bound, cache } = await boundPlace(home, checkpoints, systemClock);
  bound(1);
  const folder = cache();
  const isFull = () => Promise.reject(new Error("the disk is full"));
  const factory = {
    ...place,
    ports: { ...place.ports, clock: systemClock },
    store: Object.assign(place.store, { prune: isFull, backup: isFull }),
  } as unknown as Factory;
  const failed: unknown[] = [];
  const nothing = (): void => undefined;
  const error = (facts: object, text: string): void => void failed.push({ ...facts, text });
  const maintenance = startMaintenance(factory, { info: nothing, warn: nothing, error });
  await vi.waitUntil(() => !existsSync(folder), { timeout: 25_000 });
  await maintenance.close();
  rmSync(home, { recursive: true });
  expect(tidied).not.toEqual([]);
  expect(failed).toEqual([
    { text: "cannot fold the journal", error: "Error: the disk is full" },
    { text: "cannot back up the journal", error: "Error: the disk is full" },
  ]);
});

test.each([
  ["a copy is made where the only one is from a clock that was ahead", false, 1],
  ["no copy is made beside a fresh one, although another is from a clock that was ahead", true, 0],
])("%s", async (_, hasFresh, copies) => {
  const home = mkdtempSync(join(tmpdir(), "pawl-maintenance-"));
  const checkpoints = { thin: async () => 0, tidy: async () => undefined };
  const { place, bound, cache } = await boundPlace(home, checkpoints, systemClock);
  bound(1);
  const folder = cache();
  const backups = join(home, "copies");
  mkdirSync(backups);
  const now = Date.now();
  const ahead = now + 300 * 24 * 60 * 60_000;
  writeFileSync(join(backups, `pawl-${ahead}.db`), "");
  utimesSync(join(backups, `pawl-${ahead}.db`), new Date(ahead), new Date(ahead));
  if (hasFresh) writeFileSync(join(backups, `pawl-${now}.db`), "");
  const made: string[] = [];
  const factory = {
    ...place,
    paths: { ...place.paths, backups },
    ports: { ...place.ports, clock: systemClock },
    store: Object.assign(place.store, { backup: async (path: string) => void made.push(path) }),
  } as unknown as Factory;
  const nothing = (): void => undefined;
  const maintenance = startMaintenance(factory, { info: nothing, warn: nothing, error: nothing });
  await vi.waitUntil(() => !existsSync(folder), { timeout: 25_000 });
  await maintenance.close();
  rmSync(home, { recursive: true });
  expect(made).toHaveLength(copies);
});
