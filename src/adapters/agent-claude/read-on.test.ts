import { appendFileSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readOn } from "./read-on.ts";

let root: string;
let path: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "pawl-read-on-"));
  path = join(root, "file");
});
afterEach(() => rmSync(root, { recursive: true }));

test("only whole lines that are new are read", async () => {
  writeFileSync(path, "one\ntwo é\nthr");
  const first = await readOn(path, undefined);
  expect([first.lines, first.again]).toEqual([["one", "two é"], true]);
  appendFileSync(path, "ee\nfour\n");
  const second = await readOn(path, first.bookmark);
  expect([second.lines, second.again]).toEqual([["three", "four"], false]);
  expect((await readOn(path, second.bookmark)).lines).toEqual([]);
});

test("a file that was replaced or cut is read from the start", async () => {
  writeFileSync(path, "one\ntwo\n");
  const { bookmark } = await readOn(path, undefined);
  writeFileSync(`${path}.new`, "other\nlines\n");
  renameSync(`${path}.new`, path);
  expect(await readOn(path, bookmark)).toMatchObject({ lines: ["other", "lines"], again: true });
  writeFileSync(path, "x\n");
  expect((await readOn(path, { ...bookmark, offset: 100 })).lines).toEqual(["x"]);
});

test("a line longer than a chunk is read whole, and a file that is gone is empty", async () => {
  const long = "y".repeat(9 * 1024 * 1024);
  writeFileSync(path, `a\n${long}\nb\n`);
  expect((await readOn(path, undefined)).lines.map(({ length }) => length)).toEqual([
    1,
    long.length,
    1,
  ]);
  expect(await readOn(join(root, "none"), undefined)).toMatchObject({ lines: [], again: true });
});
