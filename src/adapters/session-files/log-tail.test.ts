import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { logTail } from "./log-tail.ts";

let root: string;
let logFile: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "pawl-log-"));
  logFile = join(root, "pane.log");
});
afterEach(() => rm(root, { recursive: true, force: true }));

test("the end is kept and the beginning dropped", async () => {
  const lines = Array.from({ length: 10_000 }, (_, index) => `line ${index}`);
  await writeFile(logFile, `${lines.join("\r\n")}\r\n`);
  expect(await logTail({ logFile, maxBytes: 20 })).toBe("line 9998\nline 9999");
});

test("a log that is mostly drawing still fills what was asked for", async () => {
  await writeFile(logFile, "\u001b[31m\u001b[0m\u001b[2Kx\r\n".repeat(1_000));
  expect(await logTail({ logFile, maxBytes: 199 })).toHaveLength(199);
});

test("no character is cut in two", async () => {
  await writeFile(logFile, "ééééé");
  expect(await logTail({ logFile, maxBytes: 5 })).toBe("éé");
});

test("a log that is not there is empty", async () => {
  expect(await logTail({ logFile, maxBytes: 100 })).toBe("");
});
