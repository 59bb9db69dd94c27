import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import type * as files from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, expect, test, vi } from "vitest";

const disk = vi.hoisted(() => ({ code: "" }));

vi.mock("node:fs/promises", async (original) => {
  const real = await original<typeof files>();
  const writeFile = async (...args: Parameters<typeof real.writeFile>): Promise<void> => {
    if (disk.code === "") return real.writeFile(...args);
    throw Object.assign(new Error(`${disk.code}: write`), { code: disk.code });
  };
  return { ...real, writeFile };
});

// Another test of this process may have loaded it already, without the mock.
vi.resetModules();
const { Ledger } = await import("./ledger.ts");

const place = mkdtempSync(join(tmpdir(), "pawl-ledger-"));
afterAll(() => rmSync(place, { recursive: true }));
beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => {
  vi.useRealTimers();
  disk.code = "";
});

/** Time passes, with all that is read and written in it, until the work is done. */
async function passing<T>(work: Promise<T>): Promise<T> {
  let isDone = false;
  const settle = () => void (isDone = true);
  work.then(settle, settle);
  while (!isDone) {
    await vi.advanceTimersByTimeAsync(100);
    await new Promise((resolve) => setImmediate(resolve));
  }
  return work;
}

const USED = { input: 10, output: 5, cacheRead: 0, cacheWrite: 0 };

function opened(report: (fact: Record<string, unknown>) => Promise<void>) {
  const folder = mkdtempSync(join(place, "life-"));
  const books = () => readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"));
  return { ledger: new Ledger({ folder, report, prices: {} }), books };
}

test("on a full disk the answer goes on; what was used is booked and told once there is room", async () => {
  const told: Record<string, unknown>[] = [];
  const first = Promise.withResolvers<void>();
  const { ledger, books } = opened(async (fact) => {
    told.push(fact);
    first.resolve();
  });
  disk.code = "ENOSPC";
  await ledger.open();
  for (let request = 0; request < 3; request += 1) {
    ledger.begin();
    ledger.add("some-model", USED, 0);
    await ledger.save();
  }
  await vi.advanceTimersByTimeAsync(20_000);
  expect({ told, books: books() }).toEqual({ told: [], books: [] });
  disk.code = "";
  await passing(first.promise);
  expect(told[0]).toMatchObject({ kind: "usage", tokens: 45, requests: 3 });
  expect(JSON.parse(books()[0] ?? "")).toMatchObject({ requests: 3, rows: [{ output: 15 }] });
});

test("a report that cannot be written yet holds no answer back", async () => {
  const { ledger } = opened(() => new Promise(() => {}));
  ledger.add("some-model", USED, 0);
  expect(await passing(ledger.save())).toBeUndefined();
});

test("a folder that is gone is no shortage", async () => {
  const { ledger } = opened(async () => undefined);
  disk.code = "EACCES";
  await expect(ledger.save()).rejects.toThrow("EACCES");
});
