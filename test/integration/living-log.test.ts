// A log of a living session stays within its bound while tmux's writer appends to it.
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  linkSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readLogEnd } from "../../src/adapters/session-files/log-end.ts";
import { freeBeginning, LOG_MAX_BYTES } from "../../src/daemon/host/retention.ts";
import { logSince } from "../../src/daemon/sessions/log-since.ts";

const LINE = `${"x".repeat(99)}\n`;
const MANY = LINE.repeat(Math.ceil((LOG_MAX_BYTES * 1.2) / LINE.length));
const usedBytes = (path: string): number => statSync(path).blocks * 512;

function makeFolder(): string {
  const folder = mkdtempSync("/tmp/pawl-log-");
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test("a long log is freed under its writer, which loses nothing, and followers read on", async () => {
  const log = join(makeFolder(), "pane.log");
  writeFileSync(log, "");
  // As tmux has it written.
  const writer = spawn("sh", ["-c", `exec cat >>'${log}'`], {
    stdio: ["pipe", "ignore", "ignore"],
  });
  onTestFinished(() => void writer.kill());
  const { size: before } = statSync(log);
  for (let round = 0; round < 2; round += 1) {
    writer.stdin.write(`${MANY}round ${round}\n`);
    const whole = (round + 1) * (MANY.length + "round 0\n".length);
    while (statSync(log).size < before + whole) await new Promise(setImmediate);
    const { next } = await logSince({ logFile: log, after: undefined, maxBytes: 1000 });
    await freeBeginning(log);
    expect(usedBytes(log)).toBeLessThan(LOG_MAX_BYTES);
    expect(statSync(log).size).toBe(before + whole);
    expect((await readLogEnd(log, 64_000))?.toString()).toContain(`${LINE}round ${round}\n`);
    // A follower that stood in what was freed sees no zeros, one at the end goes on there.
    const early = await logSince({ logFile: log, after: 0, maxBytes: 1000 });
    expect([early.text, early.next]).toEqual(["", 1000]);
    expect(await logSince({ logFile: log, after: next, maxBytes: 1000 })).toMatchObject({ next });
  }
  writer.stdin.end("the end\n");
  await once(writer, "exit");
  expect((await readLogEnd(log, 64_000))?.toString()).toMatch(/round 1\nthe end\n$/);
});

test("a log that is another's file by a link is left as it is", async () => {
  const folder = makeFolder();
  const own = join(folder, "own.txt");
  writeFileSync(own, MANY);
  linkSync(own, join(folder, "hard.log"));
  symlinkSync(own, join(folder, "soft.log"));
  await freeBeginning(join(folder, "hard.log"));
  await freeBeginning(join(folder, "soft.log"));
  await freeBeginning(join(folder, "none.log"));
  expect(readFileSync(own, "utf8") === MANY).toBe(true);
});
