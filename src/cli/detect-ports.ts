// What detecting a project needs of the outside: git and files, read only, with limits.
import { execFile } from "node:child_process";
import { access, readFile } from "node:fs/promises";
import type { DetectPorts } from "../config/detect.ts";
import { errorCode } from "../lib/error-code.ts";
import { ifThere } from "../lib/if-there.ts";
import { OperationError } from "../lib/operation-error.ts";
import type { Deps } from "./deps.ts";

const GIT_TIMEOUT_MS = 10_000;
const GIT_MAX_BYTES = 1_000_000;

export function detectPorts({ cwd, env }: Pick<Deps, "cwd" | "env">): DetectPorts {
  return {
    git: (args) => git(args, { cwd, env }),
    readFile: (path) => ifThere(readFile(path, "utf8")),
    exists: (path) =>
      access(path).then(
        () => true,
        () => false,
      ),
    searchPath: env["PATH"] ?? "",
  };
}

function git(
  args: string[],
  place: Pick<Deps, "cwd" | "env">,
): Promise<{ exitCode: number | null; stdout: string }> {
  const options = {
    cwd: place.cwd,
    env: { ...place.env, GIT_TERMINAL_PROMPT: "0", LC_ALL: "C" },
    timeout: GIT_TIMEOUT_MS,
    maxBuffer: GIT_MAX_BYTES,
  };
  return new Promise((resolve, reject) => {
    execFile("git", args, options, (error, stdout) => {
      if (error === null) resolve({ exitCode: 0, stdout });
      else if (typeof error.code === "number") resolve({ exitCode: error.code, stdout });
      else reject(noGit(args, error));
    });
  });
}

function noGit(args: string[], cause: Error): OperationError {
  const isMissing = errorCode(cause) === "ENOENT";
  const why = isMissing ? "git is not installed" : cause.message;
  return new OperationError(`cannot run git ${args.join(" ")}: ${why}`, {
    code: "command-missing",
    cause,
    ...(isMissing ? { hint: "install git 2.39 or newer" } : {}),
  });
}
