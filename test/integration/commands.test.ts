// Commands that outlive the daemon: started once per folder, adopted, ended with everything theirs.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createLocalCommands } from "../../src/adapters/commands-local/local-commands.ts";
import { markedProcesses } from "../../src/adapters/shared/leftovers.ts";
import { noCrash } from "../../src/lib/crash-point.ts";
import { commandsContract } from "../../src/ports/commands.contract.ts";
import { LET_GO, type CommandRequest } from "../../src/ports/commands.ts";
import { isRunning } from "../support/pawl.ts";

let root = "";
beforeEach(() => {
  root = mkdtempSync("/tmp/pawl-commands-");
});
afterEach(async () => {
  await createLocalCommands({ crash: noCrash }).clear(root);
  rmSync(root, { recursive: true, force: true });
});

/** A guard, not a claim: shorter than a test may take. */
const LIMIT_MS = 50_000;

const commands = createLocalCommands({ crash: noCrash });

const request = (script: string, more: Partial<CommandRequest> = {}): CommandRequest => ({
  folder: join(root, "step.1"),
  argv: ["sh", "-c", script],
  cwd: root,
  env: { PATH: process.env["PATH"] ?? "" },
  inputs: {},
  timeoutMs: LIMIT_MS,
  signal: new AbortController().signal,
  ...more,
});

const lines = (name: string): number =>
  existsSync(join(root, name)) ? readFileSync(join(root, name), "utf8").split("\n").length - 1 : 0;

async function until(what: () => boolean): Promise<void> {
  const end = Date.now() + LIMIT_MS;
  while (!what()) {
    if (Date.now() > end) throw new Error(`waited in vain: ${what.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

test("what a command printed and how it ended is its outcome, and nothing of ours is in its environment", async () => {
  const script = 'cat "$PAWL_INPUTS/before"; echo no >&2; env | grep -c ^HOME=; exit 3';
  const outcome = await commands.run(request(script, { inputs: { before: "hello\n" } }));
  expect(outcome).toEqual({ kind: "exited", code: 3, output: "hello\n0\n", errors: "no\n" });
});

commandsContract("real commands", async () => {
  const script = "echo x >> ran; while ! [ -e go ]; do sleep 0.02; done";
  return {
    commands: () => createLocalCommands({ crash: noCrash }),
    request: request(script),
    started: async () => {
      await until(() => lines("ran") > 0);
      return lines("ran");
    },
    allowEnd: async () => writeFileSync(join(root, "go"), ""),
    finish: (work) => work,
    close: async () => undefined,
  };
});

test("several at the same moment: one of them runs it, all hear of its end", async () => {
  const same = request("echo x >> ran");
  const outcomes = await Promise.all([1, 2, 3].map(() => commands.run(same)));
  expect(outcomes.map(({ kind }) => kind)).toEqual(["exited", "exited", "exited"]);
  expect(lines("ran")).toBe(1);
});

test("a second caller does not end the first attempt, which has not recorded its process yet", async () => {
  const bin = join(root, "bin");
  const shim = (name: string, script: string): void =>
    writeFileSync(join(bin, name), `#!/bin/sh\n${script}`, { mode: 0o755 });
  mkdirSync(bin);
  // Both have begun before one of them is the first; that one is slow to say who it is.
  const both = "while [ $(wc -l < arrived) -lt 2 ]; do sleep 0.02; done";
  shim("mkdir", `echo x >> arrived; ${both}; exec /bin/mkdir "$@"\n`);
  shim("mv", 'sleep 0.3; exec /bin/mv "$@"\n');
  const same = request("echo x >> ran", {
    env: { PATH: `${bin}:${process.env["PATH"] ?? ""}` },
  });
  const outcomes = await Promise.all([commands.run(same), commands.run(same)]);
  expect(outcomes.map(({ kind }) => kind)).toEqual(["exited", "exited"]);
  expect(lines("ran")).toBe(1);
});

test("a command whose end was not recorded is lost, and is not started again", async () => {
  const script = "echo $$ > pid; echo x >> ran; kill -9 $PPID; sleep 30";
  const outcome = await commands.run(request(script));
  expect(outcome.kind).toBe("lost");
  expect((await commands.run(request(script))).kind).toBe("lost");
  expect(lines("ran")).toBe(1);
  expect(isRunning(Number(readFileSync(join(root, "pid"), "utf8")))).toBe(false);
});

test.each([
  ["at its time limit", "timed-out"],
  ["when it is cancelled", "aborted"],
])("%s everything that it started is ended, also what left its group", async (_how, end) => {
  const script =
    "setsid sleep 300 & echo $! > away; sleep 301 & echo $! > own; echo x >> ran; wait";
  const controller = new AbortController();
  // The limit passes at a word: a busy machine may not have started all of it within any time.
  const real = performance.now.bind(performance);
  let aheadMs = 0;
  using _clock = vi.spyOn(performance, "now").mockImplementation(() => real() + aheadMs);
  const asked = request(script, { signal: controller.signal });
  const running = commands.run(asked).then(
    ({ kind }) => kind,
    (error: unknown) => (error as { code: string }).code,
  );
  await until(() => lines("ran") === 1);
  if (end === "aborted") controller.abort();
  else aheadMs = LIMIT_MS;
  expect(await running).toBe(end);
  for (const name of ["away", "own"]) {
    const pid = Number(readFileSync(join(root, name), "utf8"));
    await until(() => !isRunning(pid));
  }
  expect(await markedProcesses(join(root, "step.1"))).toEqual([]);
});

test("one that prints without end is ended", async () => {
  const outcome = await commands.run(request("yes"));
  expect(outcome.kind).toBe("overflowed");
  expect(outcome.output.length).toBeLessThanOrEqual(64_000);
});

test("a folder is cleared with every process that still runs in it", async () => {
  const controller = new AbortController();
  const script = "echo x >> ran; sleep 302";
  const folder = join(root, "f", "step.1");
  const running = commands.run(request(script, { folder, signal: controller.signal }));
  await until(() => lines("ran") === 1);
  controller.abort(LET_GO);
  await expect(running).rejects.toMatchObject({ code: "aborted" });
  await commands.clear(join(root, "f"));
  expect(existsSync(join(root, "f"))).toBe(false);
  expect(await markedProcesses(folder)).toEqual([]);
});

test("a place that does not exist is an error that says so", async () => {
  await expect(commands.run(request("true", { cwd: join(root, "nowhere") }))).rejects.toMatchObject(
    {
      code: "spawn-failed",
    },
  );
});
