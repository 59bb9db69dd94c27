import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createDeathNotes } from "./death-notes.ts";

const MODULE = join(import.meta.dirname, "death-notes.ts");

/** Two effects are under way in a program of its own; the second one ends it. */
const program = (path: string, end: string): string => `
import { spawn } from "node:child_process";
const { createDeathNotes } = await import(${JSON.stringify(MODULE)});
const notes = createDeathNotes(${JSON.stringify(path)});
const forever = () => new Promise((resolve) => setTimeout(resolve, 60_000));
notes.during("innocent", forever);
notes.during("guilty", () => {
  spawn("echo", ["hi"]).stdout.on("data", () => { ${end} });
  return forever();
});`;

test.each([
  [
    "an error that nothing catches is noted with its effect",
    'throw new RangeError("too long")',
    "guilty",
  ],
  ["a process that is killed notes nothing", 'process.kill(process.pid, "SIGKILL")', undefined],
])("%s", (_, end, key) => {
  const folder = mkdtempSync(join(tmpdir(), "pawl-death-"));
  try {
    const path = join(folder, "note.json");
    spawnSync(process.execPath, ["--input-type=module", "-e", program(path, end)]);
    const notes = createDeathNotes(path);
    expect(notes.last()?.key).toBe(key);
    notes.forget();
    expect(notes.last()).toBeUndefined();
    notes.close();
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("effects under way are known after an abort, and not after a kill", () => {
  const folder = mkdtempSync(join(tmpdir(), "pawl-death-"));
  const path = join(folder, "note.json");
  const kept = { lastExit: undefined };
  const first = createDeathNotes(path, kept);
  const forever = new Promise<void>(() => undefined);
  const started = ["one", "two"].map((key) => first.during(key, () => forever));
  expect(started).toHaveLength(2);
  const known = (lastExit?: number): string[] | undefined => {
    const notes = createDeathNotes(path, lastExit === undefined ? undefined : { lastExit });
    notes.close();
    return notes.aborted?.()?.keys;
  };
  try {
    expect(known(134)).toEqual(["one", "two"]);
    expect(known(137)).toBeUndefined();
    expect(known()).toBeUndefined();
  } finally {
    first.close();
    rmSync(folder, { recursive: true });
  }
});

test("a note that cannot be written changes no effect's outcome", async () => {
  const folder = mkdtempSync(join(tmpdir(), "pawl-death-"));
  const path = join(folder, "note.json");
  // As on a full disk: no note can be written.
  mkdirSync(`${path}.under-way`);
  const notes = createDeathNotes(path, { lastExit: undefined });
  try {
    expect(await notes.during("one", async () => "its outcome")).toBe("its outcome");
    const own = new Error("its own failure");
    await expect(notes.during("two", () => Promise.reject(own))).rejects.toBe(own);
  } finally {
    notes.close();
    rmSync(folder, { recursive: true });
  }
});
