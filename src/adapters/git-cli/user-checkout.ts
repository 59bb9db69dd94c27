// The user's own checkouts of the target: moved forward as a pull would, or left exactly as they
// are. This is the only place of Pawl that writes in the user's folders.
import { lstat, readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Commit } from "../../core/ids.ts";
import { isAbsent } from "../../lib/error-code.ts";
import { ifThere } from "../../lib/if-there.ts";
import { OperationError } from "../../lib/operation-error.ts";
import type { GitContext } from "./context.ts";
import { bytePath, listedPaths, shownPath } from "./scan.ts";

export type Move = { from: Commit; to: Commit };
export type Refusal = { paths: string[]; why: string };

const PATHS_MAX = 200;

/** The folders where `ref` is checked out: the main checkout and linked ones. */
export async function checkoutsOf(
  context: GitContext,
  dir: string,
  ref: string,
): Promise<string[]> {
  const result = await context.git({ args: ["worktree", "list", "--porcelain", "-z"], dir });
  const records = result.stdout.split("\0\0").map((record) => record.split("\0"));
  return records
    .filter((lines) => lines.includes(`branch ${ref}`))
    .filter((lines) => !lines.some((line) => line === "bare" || line.startsWith("prunable")))
    .flatMap((lines) => lines.find((line) => line.startsWith("worktree "))?.slice(9) ?? []);
}

/** A rebase in progress holds the target although HEAD is detached, and will move it at its end. */
export async function rebasedIn(dir: string, ref: string): Promise<string | undefined> {
  const linked = (await ifThere(readdir(join(dir, "worktrees")))) ?? [];
  const folders = [dir, ...linked.map((name) => join(dir, "worktrees", name))];
  for (const folder of folders) {
    for (const kind of ["rebase-merge", "rebase-apply"]) {
      const head = await ifThere(readFile(join(folder, kind, "head-name"), "utf8"));
      if (head?.trim() === ref) return folder;
    }
  }
  return undefined;
}

/**
 * Moves index and files forward, and says why where that cannot be: then nothing has changed. Edits
 * elsewhere stay, staged or not. Safe to repeat; with `dryRun` it only says.
 */
export async function forward(
  context: GitContext,
  folder: string,
  move: Move & { dryRun: boolean },
): Promise<Refusal | undefined> {
  await refresh(context, folder);
  const [unresolved, inTheWay] = await Promise.all([
    listIn(context, folder, ["ls-files", "--unmerged", "--format=%(path)"]),
    untrackedInTheWay(context, folder, move),
  ]);
  if (unresolved.size > 0) {
    return refusal([...unresolved], `${folder} has conflicts that are not resolved`);
  }
  if (inTheWay.length > 0) {
    return refusal(inTheWay, `untracked files in ${folder} are where the landing would write`);
  }
  const said = await readTree(context, folder, move);
  if (said === undefined) return undefined;
  const paths = await overlapping(context, folder, move);
  if (paths.length > 0) {
    return refusal(paths, `${folder} has changes in files that the landing would write`);
  }
  const named = [...said.matchAll(/'(?<path>[^']+)'/g)].map(
    (match) => match.groups?.["path"] ?? "",
  );
  return refusal(named, `${folder} cannot be moved forward: ${said}`);
}

const refusal = (paths: string[], why: string): Refusal => ({
  paths: paths.slice(0, PATHS_MAX),
  why,
});

/** Undoes `forward` where the ref could not follow; what git refuses stays for the user to see. */
export async function backward(context: GitContext, folder: string, move: Move): Promise<void> {
  await readTree(context, folder, { from: move.to, to: move.from, dryRun: false });
}

const own = (folder: string) => ({ cwd: folder, reach: "user" as const });

/** Edits are told from touched files by content, which needs a fresh index. */
async function refresh(context: GitContext, folder: string): Promise<void> {
  const args = ["update-index", "-q", "--refresh"];
  const result = await context.git({ args, ...own(folder), expect: [0, 1, 128] });
  if (result.exitCode === 128) throwIfLocked(folder, result.stderr);
}

async function readTree(
  context: GitContext,
  folder: string,
  move: Move & { dryRun: boolean },
): Promise<string | undefined> {
  const dry = move.dryRun ? ["--dry-run"] : [];
  const result = await context.git({
    args: ["read-tree", "-m", "-u", ...dry, move.from, move.to],
    ...own(folder),
    expect: [0, 1, 128],
  });
  if (result.exitCode === 0) return undefined;
  throwIfLocked(folder, result.stderr);
  return result.stderr;
}

function throwIfLocked(folder: string, stderr: string): void {
  if (!stderr.includes("index.lock")) return;
  throw new OperationError(
    `cannot move the checkout at ${folder} forward: another git is using it`,
    {
      code: "index-locked",
      hint: "if no git is running there, remove the index.lock in its .git folder",
      retryable: true,
      cause: stderr,
    },
  );
}

/** Paths that are neither as before nor as after, of those the landing changes. */
async function overlapping(context: GitContext, folder: string, move: Move): Promise<string[]> {
  const names = ["--name-only", "--no-renames"];
  const [changed, before, after] = await Promise.all([
    listIn(context, folder, ["diff-tree", "-r", ...names, move.from, move.to]),
    listIn(context, folder, ["diff-index", ...names, move.from]),
    listIn(context, folder, ["diff-index", ...names, move.to]),
  ]);
  return [...changed].filter((path) => before.has(path) && after.has(path));
}

async function listIn(context: GitContext, folder: string, args: string[]): Promise<Set<string>> {
  const [command = "", ...rest] = args;
  const result = await context.git({ args: [command, "-z", ...rest], ...own(folder) });
  return new Set(listedPaths(result.bytes).map(shownPath));
}

/**
 * Files at places that the landing would add. Git protects untracked ones but writes over ignored
 * ones, and the user's `.env` is as dear to them.
 */
async function untrackedInTheWay(
  context: GitContext,
  folder: string,
  move: Move,
): Promise<string[]> {
  const args = ["diff-tree", "-r", "-z", "--name-only", "--no-renames", "--diff-filter=A"];
  const result = await context.git({ args: [...args, move.from, move.to], ...own(folder) });
  const places = new Map<string, "file" | "folder">();
  for (const path of listedPaths(result.bytes)) {
    places.set(path, "file");
    for (let at = path.indexOf("/"); at !== -1; at = path.indexOf("/", at + 1)) {
      places.set(path.slice(0, at), "folder");
    }
  }
  const taken: string[] = [];
  for (const [path, wanted] of places) if (await isTaken(folder, path, wanted)) taken.push(path);
  if (taken.length === 0) return [];
  const index = await context.git({ args: ["ls-files", "-z"], ...own(folder) });
  const tracked = new Set(listedPaths(index.bytes));
  return taken.filter((path) => !tracked.has(path)).map(shownPath);
}

async function isTaken(folder: string, path: string, wanted: "file" | "folder"): Promise<boolean> {
  try {
    const stats = await lstat(bytePath(folder, path));
    // A folder where a file is wanted is git's to judge: it may hold tracked files that go.
    return !stats.isDirectory();
  } catch (error) {
    if (isAbsent(error)) return false;
    throw new OperationError(`cannot look at the ${wanted} ${shownPath(path)} in ${folder}`, {
      code: "checkout-unreadable",
      cause: error,
    });
  }
}
