// The folders of a workspace that are worth watching: all that git does not ignore, and of each
// repository the few places that move with a commit. Only reads.
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { isAbsent, isForbidden } from "../../lib/error-code.ts";
import type { GitContext } from "./context.ts";
import { rawEnvironment } from "./hub.ts";
import { listedPaths } from "./scan.ts";
import { indexOf } from "./snapshot.ts";

/** Inside `.git`: HEAD, index and messages; the log of HEAD; branches. */
const IN_REPOSITORY = ["", "logs", "refs/heads", "refs/heads/pawl"];

/** Undefined where there are more than `max`: then watching costs more than looking. */
export async function foldersOf(
  context: GitContext,
  workspace: string,
  max: number,
): Promise<string[] | undefined> {
  const ignored = await ignoredFolders(context, workspace);
  const found: string[] = [];
  const open = [""];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    found.push(join(workspace, next));
    if (found.length > max) return undefined;
    for (const name of await foldersIn(join(workspace, next))) {
      const path = next === "" ? name : `${next}/${name}`;
      if (name === ".git") found.push(...IN_REPOSITORY.map((part) => join(workspace, path, part)));
      else if (!ignored.has(path)) open.push(path);
    }
  }
  return found;
}

async function ignoredFolders(context: GitContext, workspace: string): Promise<Set<string>> {
  const args = ["ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory"];
  const index = indexOf(context, workspace);
  const env = { ...rawEnvironment(context), GIT_WORK_TREE: workspace, GIT_INDEX_FILE: index };
  const result = await context.git({ args, cwd: workspace, env });
  const folders = listedPaths(result.bytes).filter((path) => path.endsWith("/"));
  return new Set(folders.map((path) => Buffer.from(path.slice(0, -1), "latin1").toString("utf8")));
}

async function foldersIn(path: string): Promise<string[]> {
  try {
    const entries = await readdir(path, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  } catch (error) {
    // Gone meanwhile, or closed to us: what is inside cannot be saved either.
    if (isAbsent(error) || isForbidden(error)) return [];
    throw error;
  }
}
