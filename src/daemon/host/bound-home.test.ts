import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { boundPlace } from "../../../test/support/bound-place.ts";
import { homeCheck } from "../doctor/checks/home.ts";
import type { Inspection } from "../doctor/inspection.ts";
import { boundHome } from "./bound-home.ts";
import { homeProblem } from "./home-problem.ts";

const HOUR_MS = 3_600_000;
const roots: string[] = [];

afterEach(() => {
  vi.unstubAllEnvs();
  for (const root of roots.splice(0)) rmSync(root, { recursive: true, force: true });
});

function newHome(...below: string[]): string {
  const root = mkdtempSync(join(tmpdir(), "pawl-bound-"));
  roots.push(root);
  const home = join(root, ...below);
  mkdirSync(home, { recursive: true });
  return home;
}

type Checkpoints = Parameters<typeof boundPlace>[1];

async function world({
  home = newHome(),
  tidy = async () => undefined,
}: { home?: string; tidy?: Checkpoints["tidy"] } = {}) {
  const calls: string[] = [];
  const time = { now: 1_000 * HOUR_MS };
  const checkpoints: Checkpoints = {
    thin: async () => calls.push("thin"),
    tidy: async (request) => {
      calls.push("tidy");
      await tidy(request);
    },
  };
  const made = await boundPlace(home, checkpoints, { now: () => time.now });
  return { ...made, home, calls, time };
}

/** From now on nothing can be measured. */
function breakDu(home: string): void {
  const bin = join(home, "..", "bin");
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, "du"), "#!/bin/sh\nexit 2\n");
  chmodSync(join(bin, "du"), 0o755);
  vi.stubEnv("PATH", `${bin}:${process.env["PATH"]}`);
}

test("the oldest logs go first and no more than needed, however many runs have ended", async () => {
  // With paths this long, what du says of all of them is over a megabyte.
  const long = Array.from({ length: 7 }, () => "x".repeat(240));
  const { place, bound, endedRuns, calls } = await world({ home: newHome(...long) });
  const folders = await endedRuns(600);
  writeFileSync(join(folders[0] ?? "", "pane.log"), Buffer.alloc(8_000_000, 1));
  bound(6_000_000);
  expect(await boundHome(place)).toEqual({ freed: expect.any(Number) as number });
  expect(folders.filter((folder) => !existsSync(folder))).toEqual([folders[0]]);
  expect(calls).toEqual([]);
});

test("while the bound cannot be met, caches and landed checkpoints go once a day; a person's fix is not held up", async () => {
  const { place, bound, cache, calls, time } = await world();
  bound(1);
  const round = async (how: Parameters<typeof boundHome>[1] = { isUpkeep: true }) => {
    const folder = cache();
    calls.splice(0);
    await boundHome(place, how);
    return { isGone: !existsSync(folder), calls: [...calls] };
  };
  const whole = { isGone: true, calls: ["thin", "tidy"] };
  expect(await round()).toEqual(whole);
  time.now += HOUR_MS;
  expect(await round()).toEqual({ isGone: false, calls: [] });
  expect(await round({})).toEqual(whole);
  time.now += 23 * HOUR_MS;
  expect(await round()).toEqual({ isGone: false, calls: [] });
  time.now += 2 * HOUR_MS;
  expect(await round()).toEqual(whole);
  bound(1e9);
  await round();
  bound(1);
  expect(await round()).toEqual(whole);
});

test("a daemon that ends waits for no sweep, and nothing is removed after it", async () => {
  const ending = new AbortController();
  const { place, bound, cache, store } = await world({
    tidy: ({ signal }) => {
      const { promise, reject } = Promise.withResolvers<void>();
      signal?.addEventListener("abort", () => reject(new Error("was cancelled")));
      ending.abort();
      return signal === undefined ? Promise.resolve() : promise;
    },
  });
  bound(1);
  const folder = cache();
  await expect(boundHome(place, { signal: ending.signal })).rejects.toThrow("was cancelled");
  expect(existsSync(folder)).toBe(true);
  expect(await homeProblem(store)).toBeUndefined();
  await boundHome(place, { signal: ending.signal });
  expect(existsSync(folder)).toBe(true);
  expect(await homeProblem(store)).toBeUndefined();
});

test("a home that cannot be measured in time is not called within its bound", async () => {
  const { place, bound, store, home, cache } = await world({ home: newHome("home") });
  bound(1);
  await boundHome(place);
  const why = await homeProblem(store);
  expect(why).toContain("factory.toml allows");
  breakDu(home);
  const folder = cache();
  expect(await boundHome(place)).toEqual({ freed: 0, isUnknown: true });
  expect(existsSync(folder)).toBe(true);
  expect(await homeProblem(store)).toBe(why);
  const inspection = { ...place, writing: undefined } as unknown as Inspection;
  expect(await homeCheck.run(inspection)).toMatchObject([{ key: "size", what: why }]);
});

test("the newest backup stays, and not the one of a clock that was ahead", async () => {
  const { place, bound, home, time } = await world();
  bound(1);
  const backups = join(home, "backups");
  mkdirSync(backups);
  const names = [1, time.now - HOUR_MS, time.now + HOUR_MS].map((stamp) => `pawl-${stamp}.db`);
  for (const name of names) writeFileSync(join(backups, name), "journal");
  await boundHome(place);
  expect(readdirSync(backups)).toEqual([names[1]]);
});

test("a hub that cannot be tidied keeps no cache and no backup, and the error is told", async () => {
  const { place, bound, cache, home } = await world({
    tidy: () => Promise.reject(new Error("the hub is damaged")),
  });
  bound(1);
  const folder = cache();
  const backups = join(home, "backups");
  mkdirSync(backups);
  for (const name of ["pawl-1.db", "pawl-2.db"]) writeFileSync(join(backups, name), "journal");
  await expect(boundHome(place)).rejects.toThrow("the hub is damaged");
  expect(existsSync(folder)).toBe(false);
  expect(existsSync(join(backups, "pawl-1.db"))).toBe(false);
});
