// Brings into a workspace what git does not: the user's own files, and what a command makes.
import { constants, statSync, type Stats } from "node:fs";
import { copyFile, lstat, mkdir } from "node:fs/promises";
import { dirname, isAbsolute, join, normalize } from "node:path";
import { errorCode, hasCode } from "../../lib/error-code.ts";
import { OperationError } from "../../lib/operation-error.ts";
import type { SetUpRequest, Workspaces } from "../../ports/workspace.ts";
import { run } from "../shared/run.ts";

const OUTPUT_MAX_BYTES = 1_000_000;

/** `environment`: what set-up commands may see of the user's. */
export function createWorkspaces(environment: Record<string, string>): Workspaces {
  const command = async (request: Omit<SetUpRequest, "from" | "copy">): Promise<void> => {
    if (request.command === undefined || !(await exists(request.path))) return;
    await run({
      // The command is the user's own text from pawl.toml, not built from data.
      argv: ["sh", "-c", request.command],
      cwd: request.path,
      env: { ...environment, ...request.env },
      timeoutMs: request.timeoutMs,
      maxBytes: OUTPUT_MAX_BYTES,
    });
  };
  return {
    setUp: async (request) => {
      for (const file of request.copy) await copyOnce(request, file);
      await command(request);
    },
    tearDown: command,
    stamp: async (path) => stampOf(path),
  };
}

/** Synchronous, because four of them cost 12 µs and asynchronous ones ten times that. */
function stampOf(path: string): string | undefined {
  const places = ["", ".git/index", ".git/HEAD", ".git/logs/HEAD"];
  const stats = places.map((place) => statIfPossible(join(path, place)));
  if (stats[0] === undefined) return undefined;
  return stats.map((stat) => (stat === undefined ? "-" : `${stat.size}:${stat.mtimeMs}`)).join(" ");
}

/** What an agent has made unreadable is as good as absent. */
function statIfPossible(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (hasCode(error, ["EACCES", "ENOTDIR", "ELOOP"])) return undefined;
    throw error;
  }
}

async function copyOnce(request: SetUpRequest, file: string): Promise<void> {
  const inside = normalize(file);
  if (isAbsolute(inside) || inside.startsWith("..")) {
    throw new OperationError(
      `cannot copy ${file} into the workspace: it leads out of the checkout`,
      {
        code: "copy-outside",
        hint: "name files below the repository in [workspace] copy",
      },
    );
  }
  const to = join(request.path, inside);
  if (await exists(to)) return;
  const from = join(request.from, inside);
  if (!(await exists(from))) return;
  await mkdir(dirname(to), { recursive: true });
  await copyFile(from, to, constants.COPYFILE_EXCL);
}

async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (errorCode(error) === "ENOENT") return false;
    throw error;
  }
}
