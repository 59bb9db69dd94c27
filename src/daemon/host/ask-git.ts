// What git says of a repository of the user.
import { run, type RunRequest } from "../../adapters/shared/run.ts";
import { toolEnvironment } from "./environment.ts";

const GIT_TIMEOUT_MS = 10_000;

/** Undefined where git has no answer: nothing is set, or the folder is in no repository. */
export async function askGit(
  folder: string,
  args: string[],
  env: RunRequest["env"] = toolEnvironment(),
): Promise<string | undefined> {
  const result = await run({
    argv: ["git", "-C", folder, ...args],
    cwd: "/",
    env,
    timeoutMs: GIT_TIMEOUT_MS,
    maxBytes: 100_000,
    expect: [0, 1, 128],
    what: `ask git about ${folder}`,
  });
  return result.exitCode === 0 ? result.stdout.trim() : undefined;
}
