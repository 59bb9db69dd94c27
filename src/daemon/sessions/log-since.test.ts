import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { logSince } from "./log-since.ts";

let folder = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "pawl-log-"));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const since = (after: number | undefined, maxBytes = 1000) =>
  logSince({ logFile: join(folder, "pane.log"), after, maxBytes });

const write = (text: string): void => writeFileSync(join(folder, "pane.log"), text);

test("a log that is not there yet has gained nothing", async () => {
  expect(await since(undefined)).toEqual({ text: "", next: 0, drawn: false });
  expect(await since(7)).toEqual({ text: "", next: 0, drawn: false });
});

test("a follower starts at the end and gets whole lines, each once", async () => {
  write("old\n");
  expect(await since(undefined)).toEqual({ text: "", next: 4, drawn: false });
  write("old\nnew\nhal");
  expect(await since(4)).toEqual({ text: "new\n", next: 8, drawn: false });
  write("old\nnew\nhalf ä\n");
  expect(await since(8)).toEqual({ text: "half ä\n", next: 16, drawn: false });
});

test("colours are taken out, and of a line that was drawn over only the last is kept", async () => {
  write("\u001b[31mred\u001b[0m\r\n10 %\r100 %\n");
  expect(await since(0)).toMatchObject({ text: "red\n100 %\n" });
});

test("a program that draws on the screen is told from one that writes lines", async () => {
  write("one\n\u001b[31mred\u001b[0m\n");
  expect(await since(undefined)).toMatchObject({ drawn: false });
  write("one\n\u001b[2J\u001b[Hbox\n");
  expect(await since(undefined)).toMatchObject({ text: "", drawn: true });
});

test("a log that was cut is read from its beginning", async () => {
  write("kept\n");
  expect(await since(5000)).toEqual({ text: "kept\n", next: 5, drawn: false });
});

test("a line that is too long does not hold the follower up", async () => {
  write("x".repeat(25));
  expect(await since(0, 10)).toEqual({ text: "x".repeat(10), next: 10, drawn: false });
});
