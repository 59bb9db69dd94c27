// Brings into a workspace what git does not: the user's own files, and what a command makes.
import { constants, statSync, type Stats } from "node:fs";
import { copyFile, lstat, readlink, symlink } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { hasCode } from "../../lib/error-code.ts";
import { ifThere } from "../../lib/if-there.ts";
import type { SetUpRequest, Workspaces } from "../../ports/workspace.ts";
import { byteString, Folder, splitPath } from "../shared/folder.ts";
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

/**
 * Neither side follows a link: a branch can put one at any place of the checkout and of the
 * workspace. A link that is to be copied arrives as a link to the same file.
 */
async function copyOnce(request: SetUpRequest, file: string): Promise<void> {
  const { above, name } = splitPath(byteString(file));
  await using checkout = await ifThere(Folder.open(request.from));
  await using source = await checkout?.enter(above);
  const found = await source?.stat(name);
  if (source === undefined || found === undefined) return;
  await using workspace = await Folder.open(request.path);
  await using target = await workspace.make(above);
  if ((await target.stat(name)) !== undefined) return;
  if (found.isSymbolicLink()) {
    const place = dirname(join(request.from, file));
    await symlink(resolve(place, await readlink(source.at(name))), target.at(name));
  } else await copyFile(source.at(name), target.at(name), constants.COPYFILE_EXCL);
}

const exists = async (path: string): Promise<boolean> => (await ifThere(lstat(path))) !== undefined;
