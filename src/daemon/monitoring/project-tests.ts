// Runs the project's own tests in its folder: what pawl.toml says, else what its files suggest.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { run } from "../../adapters/shared/run.ts";
import { chooseConfig } from "../../config/load.ts";
import { guessTestCommands } from "../../config/test-commands.ts";
import { OperationError } from "../../lib/operation-error.ts";
import { toolEnvironment } from "../host/environment.ts";
import { readIfThere } from "./story-files.ts";

export type TestsRun =
  | { kind: "passed"; command: string }
  | { kind: "failed"; command: string; exitCode: number; said: string }
  | { kind: "none" };

const TIMEOUT_MS = 30 * 60_000;
const MAX_BYTES = 4 * 1024 * 1024;
const SAID_MAX = 2_000;
const EXIT_CODES = Array.from({ length: 256 }, (_, code) => code);

export async function runProjectTests(root: string): Promise<TestsRun> {
  const commands = await testCommands(root);
  if (commands.length === 0) return { kind: "none" };
  for (const command of commands) {
    const failed = await failureOf(root, command);
    if (failed !== undefined) return failed;
  }
  return { kind: "passed", command: commands.join(" && ") };
}

async function failureOf(root: string, command: string): Promise<TestsRun | undefined> {
  try {
    const { exitCode, stdout, stderr } = await run({
      // The command is the project's own text for a shell; nothing is added to it.
      argv: ["sh", "-c", command],
      cwd: root,
      env: toolEnvironment(),
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
      overflow: "truncate",
      expect: EXIT_CODES,
      what: `test ${root}`,
    });
    if (exitCode === 0) return undefined;
    return { kind: "failed", command, exitCode, said: `${stdout}\n${stderr}`.slice(-SAID_MAX) };
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    return { kind: "failed", command, exitCode: -1, said: error.message };
  }
}

async function testCommands(root: string): Promise<string[]> {
  const inCheckout = await readIfThere(join(root, "pawl.toml"));
  const chosen = chooseConfig({ atTarget: undefined, inCheckout });
  if (chosen.kind === "valid") return chosen.config.ci.gates.map(({ command }) => command);
  const [guess] = await guessTestCommands({
    readFile: (path) => readIfThere(join(root, path)),
    exists: async (path) => existsSync(join(root, path)),
  });
  return guess === undefined ? [] : [guess.command];
}
