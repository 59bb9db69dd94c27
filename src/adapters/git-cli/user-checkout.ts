// The user's own checkouts of the target: where they are, and whether one can be moved forward as a
// pull would. What moves it is in move-checkout.ts.
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

/** The folders where `ref` is checked out, the main one and linked ones; and where it is, if there are any. */
export async function checkoutsOf(
  context: GitContext,
  dir: string,
  ref: string,
): Promise<{ folders: string[]; head: string | undefined }> {
  const result = await context.git({ args: ["worktree", "list", "--porcelain", "-z"], dir });
  const records = result.stdout
    .split("\0\0")
    .map((record) => record.split("\0"))
    .filter((lines) => lines.includes(`branch ${ref}`));
  const folders = records
    .filter((lines) => !lines.some((line) => line === "bare" || line.startsWith("prunable")))
    .flatMap((lines) => valueOf(lines, "worktree") ?? []);
  const [head] = records.flatMap((lines) => valueOf(lines, "HEAD") ?? []);
  return { folders: await Promise.all(folders.map((folder) => topOf(context, folder, dir))), head };
}

const valueOf = (lines: string[], name: string): string | undefined =>
  lines.find((line) => line.startsWith(`${name} `))?.slice(name.length + 1);

/** Git lists the git folder itself where it lies apart from its checkout (`--separate-git-dir`). */
async function topOf(context: GitContext, folder: string, dir: string): Promise<string> {
  if (folder !== dir) return folder;
  const args = ["rev-parse", "--show-toplevel"];
  const cwd = context.upstream.path;
  const result = await context.git({ args, cwd, reach: "user", expect: [0, 128] });
  return result.exitCode === 0 ? result.stdout : folder;
}

/** The git folders of the main checkout and of linked ones. */
export async function gitDirsOf(dir: string): Promise<string[]> {
  const linked = (await ifThere(readdir(join(dir, "worktrees")))) ?? [];
  return [dir, ...linked.map((name) => join(dir, "worktrees", name))];
}

/** Those whose checkout is on `ref`, as far as git's files tell: by this a switch is seen. */
export async function switchedTo(dir: string, ref: string): Promise<string[]> {
  const found: string[] = [];
  for (const gitDir of await gitDirsOf(dir)) {
    const head = await ifThere(readFile(join(gitDir, "HEAD"), "utf8"));
    if (head?.trim() === `ref: ${ref}`) found.push(gitDir);
  }
  return found.toSorted();
}

/** A rebase in progress holds the target although HEAD is detached, and will move it at its end. */
export async function rebasedIn(dir: string, ref: string): Promise<string | undefined> {
  for (const folder of await gitDirsOf(dir)) {
    for (const kind of ["rebase-merge", "rebase-apply"]) {
      const head = await ifThere(readFile(join(folder, kind, "head-name"), "utf8"));
      if (head?.trim() === ref) return folder;
    }
  }
  return undefined;
}

/** A checkout of the user's, its git folder, and the copy of its index that a landing works on. */
export type Place = { folder: string; gitDir: string; index: string };

const own = ({ folder, index }: Place) => ({
  cwd: folder,
  reach: "user" as const,
  env: { GIT_INDEX_FILE: index },
});

/**
 * Why the checkout cannot be moved forward; undefined where it can. Edits elsewhere do not matter,
 * staged or not. Nothing is changed but the copy of the index. `added`: paths that the landing adds.
 */
export async function whyNot(
  context: GitContext,
  place: Place,
  { move, added }: { move: Move; added: string[] },
): Promise<Refusal | undefined> {
  const { folder } = place;
  const looks = [
    untrackedInTheWay(context, place, added),
    tryToMove(context, place, move),
  ] as const;
  // Where one fails, the other has ended before the caller removes the index that they work on.
  await Promise.allSettled(looks);
  const [inTheWay, first] = await Promise.all(looks);
  if (first.exitCode === 0 && inTheWay.length === 0) return undefined;
  // Git refuses touched files, too: an edit is told from them by content, which a refresh looks at.
  await refresh(context, place);
  const unresolved = await listIn(context, place, ["ls-files", "--unmerged", "--format=%(path)"]);
  if (unresolved.size > 0) {
    return refusal([...unresolved], `${folder} has unresolved conflicts (resolve them first)`);
  }
  if (inTheWay.length > 0) {
    return refusal(
      inTheWay,
      `untracked files in ${folder} are in the way of the landing (move or commit them first)`,
    );
  }
  const tried = await tryToMove(context, place, move);
  if (tried.exitCode === 0) return undefined;
  const paths = await overlapping(context, place, move);
  if (paths.length > 0) {
    return refusal(
      paths,
      `${folder} has changes in files that the landing would write (commit or stash them first)`,
    );
  }
  const named = [...tried.stderr.matchAll(/'(?<path>[^']+)'/g)].map(
    (match) => match.groups?.["path"] ?? "",
  );
  return refusal(named, `${folder} cannot be moved forward: ${tried.stderr}`);
}

/** Git finds out, and changes nothing. */
const tryToMove = (context: GitContext, place: Place, { from, to }: Move) =>
  context.git({
    args: ["read-tree", "-m", "-u", "--dry-run", from, to],
    ...own(place),
    expect: [0, 1, 128],
  });

const refusal = (paths: string[], why: string): Refusal => ({
  paths: paths.slice(0, PATHS_MAX),
  why,
});

/** Edits are told from touched files by content, which needs a fresh index. */
export async function refresh(context: GitContext, place: Place): Promise<void> {
  const args = ["update-index", "-q", "--refresh"];
  await context.git({ args, ...own(place), expect: [0, 1, 128] });
}

/** What the user has taken out of the index since `move.from`, as byte strings. */
export async function stagedDeletions(
  context: GitContext,
  place: Place,
  move: Move,
): Promise<Set<string>> {
  const names = ["-z", "--name-only", "--no-renames", "--diff-filter=D"];
  const args = ["diff-index", "--cached", ...names, move.from];
  return new Set(listedPaths((await context.git({ args, ...own(place) })).bytes));
}

/** Paths that are neither as before nor as after, of those the landing changes. */
async function overlapping(context: GitContext, place: Place, move: Move): Promise<string[]> {
  const names = ["--name-only", "--no-renames"];
  const [changed, before, after] = await Promise.all([
    listIn(context, place, ["diff-tree", "-r", ...names, move.from, move.to]),
    listIn(context, place, ["diff-index", ...names, move.from]),
    listIn(context, place, ["diff-index", ...names, move.to]),
  ]);
  return [...changed].filter((path) => before.has(path) && after.has(path));
}

async function listIn(context: GitContext, place: Place, args: string[]): Promise<Set<string>> {
  const [command = "", ...rest] = args;
  const result = await context.git({ args: [command, "-z", ...rest], ...own(place) });
  return new Set(listedPaths(result.bytes).map(shownPath));
}

/**
 * Files at places that the landing would add. Git protects untracked ones but writes over ignored
 * ones, and the user's `.env` is as dear to them.
 */
async function untrackedInTheWay(
  context: GitContext,
  place: Place,
  added: string[],
): Promise<string[]> {
  const { folder } = place;
  const places = new Map<string, "file" | "folder">();
  for (const path of added) {
    places.set(path, "file");
    for (let at = path.indexOf("/"); at !== -1; at = path.indexOf("/", at + 1)) {
      places.set(path.slice(0, at), "folder");
    }
  }
  const taken: string[] = [];
  for (const [path, wanted] of places) if (await isTaken(folder, path, wanted)) taken.push(path);
  if (taken.length === 0) return [];
  const index = await context.git({ args: ["ls-files", "-z"], ...own(place) });
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
