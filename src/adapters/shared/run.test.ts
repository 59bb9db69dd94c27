import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, type Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { hasProc } from "./process-table.ts";
import { openProgramStarter } from "./program-starter.ts";
import { startProgramsBy } from "./program.ts";
import type { RunRequest } from "./run.ts";
import { run } from "./run.ts";

const base = {
  cwd: "/",
  env: { PATH: process.env["PATH"] },
  timeoutMs: 10_000,
  maxBytes: 1_000_000,
} satisfies Omit<RunRequest, "argv">;

const sh = (script: string, more: Partial<RunRequest> = {}) =>
  run({ ...base, argv: ["sh", "-c", script], ...more });

const parent = async (): Promise<number> => Number((await sh("echo $PPID")).stdout);

let filesSeen: string | undefined;

/** Both ways of starting programs keep the same promises. */
describe.each(["by this process", "by a process for it"])("programs that are started %s", (way) => {
  const folder = mkdtempSync(join(tmpdir(), "pawl-run-"));
  let starter: Awaited<ReturnType<typeof openProgramStarter>> | undefined;

  beforeAll(async () => {
    if (way === "by this process") return;
    starter = await openProgramStarter({ folder, onLost: () => {} });
    await vi.waitUntil(async () => (await parent()) !== process.pid, { timeout: 20_000 });
  }, 30_000);

  afterAll(async () => {
    await starter?.close();
    rmSync(folder, { recursive: true });
  });

  test.runIf(hasProc)("have the parent that is meant", async () => {
    expect((await parent()) === process.pid).toBe(way === "by this process");
  });

  test.runIf(hasProc)("have the same open files, and output that blocks", async () => {
    const { stdout } = await sh("cd /proc/$$/fd && echo * && cat ../fdinfo/1", { stdin: "" });
    expect(stdout).toMatch(/^flags:\s+0*2$/m);
    const [files = ""] = stdout.split("\n");
    filesSeen ??= files;
    expect(files).toBe(filesSeen);
  });

  test("have the mask of files that this process has", async () => {
    const own = process.umask().toString(8).padStart(4, "0");
    expect((await sh("umask")).stdout).toBe(own);
  });

  test("stdout, stderr and an expected exit code are a result", async () => {
    const result = await sh("echo out; echo err >&2; exit 3", { expect: [0, 3] });
    expect(result).toMatchObject({ stdout: "out", stderr: "err", exitCode: 3, truncated: false });
  });

  test("an unexpected exit code is an error with the command, the code and the end of stderr", async () => {
    await expect(sh("echo broken >&2; exit 3", { what: "fix it" })).rejects.toMatchObject({
      name: "OperationError",
      code: "command-failed",
      message: "cannot fix it: sh -c 'echo broken >&2; exit 3': exit code 3: broken",
    });
  });

  test("the environment is exactly what is given", async () => {
    process.env["PAWL_TEST_LEAK"] = "leak";
    const result = await sh("echo ${PAWL_TEST_LEAK-none} $GIVEN", {
      env: { ...base.env, GIVEN: "yes" },
    });
    delete process.env["PAWL_TEST_LEAK"];
    expect(result.stdout).toBe("none yes");
  });

  test("bytes that are no UTF-8 and final newlines are kept exactly", async () => {
    const stdin = Buffer.from([0xff, 0x00, 0xc3, 0x28, 0x0a, 0x0a]);
    const result = await run({ ...base, argv: ["cat"], stdin });
    expect(result.bytes.equals(stdin)).toBe(true);
  });

  test("a large input and output pass unchanged", async () => {
    const stdin = Buffer.alloc(5_000_000, "äöü\n");
    const result = await run({ ...base, argv: ["cat"], stdin, maxBytes: 5_000_000 });
    expect(result.bytes.equals(stdin)).toBe(true);
  });

  test("a timeout ends the program and its children", async () => {
    const slow = sh("sleep 100 & sleep 100", { timeoutMs: 50 });
    await expect(slow).rejects.toMatchObject({ code: "command-timeout", retryable: true });
  });

  test("a cancelled signal ends the program", async () => {
    const controller = new AbortController();
    const slow = sh("sleep 100", { signal: controller.signal });
    controller.abort();
    await expect(slow).rejects.toMatchObject({ code: "command-aborted" });
    await expect(sh("true", { signal: controller.signal })).rejects.toMatchObject({
      code: "command-aborted",
    });
  });

  test("too much output is an error, or cut where told", async () => {
    await expect(sh("yes", { maxBytes: 1000 })).rejects.toMatchObject({ code: "output-too-large" });
    const cut = await sh("yes", { maxBytes: 1000, overflow: "truncate" });
    expect(cut.bytes.length).toBe(1000);
    expect(cut.truncated).toBe(true);
  });

  test("output held open by a child that outlives the program does not hang", async () => {
    const result = await sh("sleep 5 & echo done");
    expect(result.stdout).toBe("done");
  });

  test("a program that does not exist is named", async () => {
    const missing = run({ ...base, argv: ["pawl-no-such-program"] });
    await expect(missing).rejects.toMatchObject({ code: "command-missing" });
  });

  test("a program that reads no input does not fail for it", async () => {
    const result = await run({ ...base, argv: ["true"], stdin: Buffer.alloc(1_000_000) });
    expect(result.exitCode).toBe(0);
  });

  test("passwords in URLs do not reach the error", async () => {
    const failing = sh("exit 1 # https://me:secret@host/x");
    await expect(failing).rejects.toThrow("https://***@host/x");
  });

  test("a bound that does not fit into one string is refused", async () => {
    await expect(sh("true", { maxBytes: 2 ** 30 })).rejects.toThrow("at most 268435456 is allowed");
  });

  test("one program's output is another's input, and the failure of either is told", async () => {
    const into = (script: string) => ({
      take: async (stdout: Readable): Promise<void> => {
        await sh(script, { stdin: stdout });
      },
    });
    await sh("seq 100000", into('test "$(wc -l)" = 100000'));
    await expect(sh("yes", into("echo no room >&2; exit 4"))).rejects.toThrow(
      /exit code 4: no room/,
    );
    await expect(sh("echo lost >&2; exit 5", into("cat"))).rejects.toThrow(/exit code 5: lost/);
    const both = sh("echo lost >&2; exit 5", into("cat >&2; exit 4"));
    await expect(both).rejects.toThrow(/exit code 4.*exit code 5: lost/);
  });

  test("a limit on silence ends only a program that neither reads nor writes", async () => {
    // Longer than the limit in all, and each pause a small part of it: a busy machine makes them longer.
    const speaks = "for i in 1 2 3 4 5 6 7 8; do sleep 0.5; echo $i >&2; done";
    const result = await sh(speaks, { timeoutMs: 3500, limits: "silence" });
    expect(result.exitCode).toBe(0);
    await expect(sh("sleep 100", { timeoutMs: 50, limits: "silence" })).rejects.toMatchObject({
      code: "command-timeout",
      message: expect.stringContaining("nothing was read or written for 50 ms"),
    });
  });

  test.runIf(hasProc)(
    "a limit on silence does not end a program that works without a word",
    async () => {
      // Several times the limit, by its own clock.
      const works = "const end = Date.now() + 4000; while (Date.now() < end);";
      const argv = [process.execPath, "-e", works] as const;
      const result = await run({ ...base, argv, timeoutMs: 1000, limits: "silence" });
      expect(result.exitCode).toBe(0);
    },
  );

  test("of a line that was written again and again the last form is kept", async () => {
    const result = await sh(
      String.raw`printf 'Counting:  1%%\rCounting: 99%%\rdone\nfatal: no\n' >&2`,
    );
    expect(result.stderr).toBe("done\nfatal: no");
  });
});

test("a program that closed its input before it got any is judged by its exit code", async () => {
  startProgramsBy(async ({ argv: [file = "", ...args] }) => {
    const child = spawn(file, args, { detached: true });
    child.stdin.destroy();
    return child;
  });
  const input = new PassThrough();
  try {
    const refused = sh("echo no room >&2; exit 4", { stdin: input });
    await expect(refused).rejects.toThrow(/exit code 4: no room/);
  } finally {
    startProgramsBy(undefined);
  }
  expect(input.destroyed).toBe(true);
});
