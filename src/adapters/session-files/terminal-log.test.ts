import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { draw, terminalLog } from "./terminal-log.ts";

const SIZE = { columns: 20, rows: 4 };
const drawn = (text: string): Promise<string[]> => draw(Buffer.from(text), SIZE);

test("movements of the cursor are spaces", async () => {
  expect(await drawn("Running\u001b[2Cthe\u001b[1Ctool")).toEqual(["Running  the tool"]);
});

test("of a line that is drawn again and again, the last version is kept", async () => {
  const frames = ["✻ Working…", "✽ Working…", "✶ Working…"].map((one) => `\r\u001b[2K${one}`);
  const done = "\u001b[1A\r\u001b[2K● Done\r\n\u001b[2K";
  expect(await drawn(`prompt\r\n${frames.join("")}\r\n${done}`)).toEqual(["prompt", "● Done"]);
});

test("text that scrolled away is kept, and a line that the terminal broke is one line", async () => {
  const lines = Array.from({ length: 30 }, (_, index) => `line ${index}`);
  expect(await drawn(lines.join("\r\n"))).toEqual(lines);
  expect(await drawn("a line of more than twenty letters\r\nnext")).toEqual([
    "a line of more than twenty letters",
    "next",
  ]);
});

test("a program on the alternate screen is shown after what was there before it", async () => {
  expect(await drawn("before\r\n\u001b[?1049h\u001b[HFull screen")).toEqual([
    "before",
    "Full screen",
  ]);
});

test("a large log is drawn from its end, and no more than asked for is shown", async () => {
  const root = mkdtempSync(join(tmpdir(), "pawl-log-"));
  const logFile = join(root, "pane.log");
  const lines = Array.from({ length: 100_000 }, (_, index) => `line ${index}`);
  writeFileSync(logFile, lines.join("\r\n"));
  const text = await terminalLog({ logFile, maxBytes: 24, size: SIZE });
  expect(text).toBe("line 99998\nline 99999");
  rmSync(root, { recursive: true });
});

test("a log that is not there shows nothing", async () => {
  expect(await terminalLog({ logFile: "/nowhere/pane.log", maxBytes: 9, size: SIZE })).toBe("");
});
