import {
  closeSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { ProgramLog } from "./program-log.ts";

/** `write`: as the program does, by an opened file of its own. */
function world() {
  const dir = mkdtempSync(join(tmpdir(), "pawl-log-"));
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const path = join(dir, "agent.log");
  const log = new ProgramLog(path);
  const program = openSync(path, "a");
  onTestFinished(() => {
    vi.useRealTimers();
    log.close();
    closeSync(program);
    rmSync(dir, { recursive: true });
  });
  const write = (text: string): void => void writeSync(program, text);
  return { log, path, write };
}

test("the end of a log is what was said last", () => {
  const { log, write } = world();
  expect(log.end()).toBe("");
  write(`old ${"x".repeat(300_000)}\nout of memory\n`);
  expect(log.end()).toMatch(/\nout of memory\n$/);
  expect(log.end()).not.toContain("old");
});

test("a log that has grown large keeps its end, and its program writes on behind it", () => {
  const { log, path, write } = world();
  for (let line = 0; line < 21; line += 1) write(`${line} ${"x".repeat(1_000_000)}\n`);
  vi.advanceTimersByTime(60_000);
  write("last\n");
  expect(statSync(path).size).toBeLessThan(1_100_000);
  expect(readFileSync(path, "utf8")).toMatch(/x\nlast\n$/);
  expect(log.end()).toMatch(/x\nlast\n$/);
});

test("a log that is closed says nothing", () => {
  const { log, write } = world();
  write("words\n");
  log.close();
  log.close();
  expect(log.end()).toBe("");
});
