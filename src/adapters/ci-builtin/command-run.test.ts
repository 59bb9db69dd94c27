import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { MARK_VARIABLE } from "../shared/leftovers.ts";
import { startProgramsBy } from "../shared/program.ts";
import { runCommand } from "./command-run.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "pawl-command-run-"));
});

afterEach(() => {
  startProgramsBy(undefined);
  rmSync(folder, { recursive: true });
});

test("a command whose output never came is ended and tried again as any other that was lost", async () => {
  const ended = Promise.withResolvers<unknown[]>();
  // As one that is given up because the daemon had no file left: there is a number, but no stream.
  startProgramsBy(({ argv: [file = "", ...args], cwd, env }) => {
    const child = spawn(file, args, { cwd, env: { ...env }, stdio: "ignore", detached: true });
    once(child, "exit").then(ended.resolve, ended.reject);
    return Promise.resolve(child);
  });
  const mark = `test-${process.pid}`;
  const running = runCommand({
    argv: ["sleep", "100"],
    cwd: folder,
    env: { PATH: process.env["PATH"] ?? "", [MARK_VARIABLE]: mark },
    mark,
    timeoutMs: 60_000,
    graceMs: 1000,
    logFile: join(folder, "log"),
    signal: new AbortController().signal,
    onStarted: () => Promise.resolve(),
  });
  await expect(running).rejects.toMatchObject({ code: "command-lost", retryable: true });
  expect(await ended.promise).toEqual([null, "SIGKILL"]);
});
