// Turns a folder into a tree in the hub: bytes as they are, everything that is not ignored.
// A private index beside the hub remembers what was seen, so that only changes are read. The
// folder's own index, configuration and hooks are never used or touched.
import { createHash } from "node:crypto";
import { rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Tree } from "../../core/ids.ts";
import { treeId } from "../../core/ids.ts";
import { ifThere } from "../../lib/if-there.ts";
import { OperationError } from "../../lib/operation-error.ts";
import type { GitContext } from "./context.ts";
import { perContext } from "./context.ts";
import { fingerprint } from "./fingerprint.ts";
import { rawEnvironment } from "./hub.ts";
import type { Candidates } from "./scan.ts";
import { classify, listedPaths, shownPath } from "./scan.ts";

export type Snapshot = {
  tree: Tree;
  /** Repositories inside, which the tree leaves out. */
  nested: string[];
  skipped: string[];
};

const FILE_MAX_BYTES = 50 * 1024 * 1024;
/** About 20,000 files. */
const LARGE_INDEX_BYTES = 2 * 1024 * 1024;
/** A file that cannot be saved is set aside and the rest tried again, this often. */
const ATTEMPTS_MAX = 20;

/** The private index of a folder; one at a time may use it (`serial` with this key). */
export const indexOf = (context: GitContext, folder: string): string => {
  const name = createHash("sha1").update(folder).digest("hex").slice(0, 20);
  return join(context.privateDir, "checkpoints", `${name}.index`);
};

export async function snapshot(context: GitContext, folder: string): Promise<Snapshot> {
  const index = indexOf(context, folder);
  // Ours alone, and nobody else runs while we do: a lock is what a dead git left.
  await rm(`${index}.lock`, { force: true });
  try {
    return await attempt(context, folder, index);
  } catch (error) {
    // The index is only a memory of what was seen: where it is broken, everything is read again.
    const broken =
      error instanceof OperationError && /index file|bad signature/i.test(error.message);
    if (!broken) throw error;
    await rm(index, { force: true });
    return attempt(context, folder, index);
  }
}

async function attempt(context: GitContext, folder: string, index: string): Promise<Snapshot> {
  const env = { ...rawEnvironment(context), GIT_WORK_TREE: folder, GIT_INDEX_FILE: index };
  const call = { cwd: folder, env };
  const refused = new Set<string>();
  for (let tries = 1; ; tries += 1) {
    const listed = await listChanged(context, folder, env);
    const paths = listed.paths.filter((path) => !refused.has(path));
    const found = await classify(folder, paths, FILE_MAX_BYTES);
    const culprit = await update(context, call, found);
    if (culprit === undefined) {
      const tree = await writeTree(context, index, call);
      const skipped = [...found.skipped, ...refused].map(shownPath).concat(listed.closed);
      return { tree, nested: found.nested, skipped: skipped.toSorted() };
    }
    if (tries === ATTEMPTS_MAX) throw tooManyRefused(folder, culprit);
    refused.add(culprit);
  }
}

/** Trees by private index, with the fingerprint of the index that each is of. */
const treesOf = perContext(() => new Map<string, { print: string; tree: Tree }>());

/** An index that was not touched since is the same tree. */
async function writeTree(
  context: GitContext,
  index: string,
  call: { cwd: string; env: Record<string, string> },
): Promise<Tree> {
  const known = treesOf(context).get(index);
  if (known !== undefined && (await fingerprint(index)) === known.print) return known.tree;
  const tree = treeId((await context.git({ args: ["write-tree"], ...call })).stdout);
  // Git may write what it computed into the index, so that it is looked at afterwards.
  const print = await fingerprint(index);
  if (print !== undefined) treesOf(context).set(index, { print, tree });
  return tree;
}

async function listChanged(
  context: GitContext,
  folder: string,
  env: Record<string, string>,
): Promise<{ paths: string[]; /** Folders that cannot be opened. */ closed: string[] }> {
  const exclude = join(folder, ".git", "info", "exclude");
  const local = (await fingerprint(exclude)) === undefined ? [] : ["-X", exclude];
  const rules = ["--exclude-standard", ...local];
  const call = { cwd: folder, env, what: `look at the files of ${folder}` };
  const isLarge = await isLargeIndex(env["GIT_INDEX_FILE"] ?? "");
  const both = isLarge ? [] : ["--modified"];
  const [seen, changed, forced] = await Promise.all([
    context.git({ args: ["ls-files", "-z", "--others", ...both, ...rules], ...call }),
    isLarge ? context.git({ args: ["diff-files", "-z", "--name-only"], ...call }) : undefined,
    listForced(context, folder, { env, rules }),
  ]);
  const modified = changed === undefined ? [] : listedPaths(changed.bytes);
  const paths = [...new Set([...listedPaths(seen.bytes), ...modified, ...forced])];
  const closed = [...seen.stderr.matchAll(/could not open directory '(?<path>.*?)\/?':/g)];
  return { paths, closed: closed.map((match) => match.groups?.["path"] ?? "") };
}

/** With tens of thousands of files two gits side by side, one of them threaded, take half the time. */
const isLargeIndex = async (index: string): Promise<boolean> =>
  ((await ifThere(stat(index)))?.size ?? 0) > LARGE_INDEX_BYTES;

/** Fingerprints of the folders' own indexes when their forced files were last listed. */
const listedAt = perContext(() => new Map<string, string>());

/** Files that are ignored but tracked all the same (`add -f`): they are work too. */
async function listForced(
  context: GitContext,
  folder: string,
  how: { env: Record<string, string>; rules: string[] },
): Promise<string[]> {
  const own = join(folder, ".git", "index");
  const [now, mine] = [await fingerprint(own), await fingerprint(how.env["GIT_INDEX_FILE"] ?? "")];
  if (now === undefined) return [];
  if (mine !== undefined && listedAt(context).get(folder) === now) return [];
  const args = ["ls-files", "-z", "--cached", "--ignored", ...how.rules];
  const env = { ...how.env, GIT_INDEX_FILE: own };
  // An index that a foreign git wrote in a way ours cannot read costs only these files.
  const result = await context.git({ args, cwd: folder, env, expect: [0, 128] });
  listedAt(context).set(folder, now);
  return listedPaths(result.bytes);
}

/** Brings the index up to date; answers the path that git refused, where it did. */
async function update(
  context: GitContext,
  call: { cwd: string; env: Record<string, string> },
  found: Candidates,
): Promise<string | undefined> {
  const paths = [...found.gone, ...found.changed];
  if (paths.length === 0) return undefined;
  const stdin = Buffer.from(paths.map((path) => `${path}\0`).join(""), "latin1");
  const args = ["update-index", "-z", "--add", "--remove", "--replace", "--stdin"];
  // `core.fsyncMethod=batch` gained nothing here: 0.9 s against 1.1 s for 1,000 new files.
  const result = await context.git({ args, ...call, stdin, expect: [0, 128] });
  if (result.exitCode === 0) return undefined;
  const named = /Unable to process path (?<path>.*)/.exec(result.stderr)?.groups?.["path"];
  const culprit = paths.find((path) => shownPath(path) === named);
  if (culprit !== undefined) return culprit;
  throw new OperationError(`cannot save ${call.cwd}: git update-index said: ${result.stderr}`, {
    code: "checkpoint-failed",
    retryable: true,
  });
}

const tooManyRefused = (folder: string, path: string): OperationError =>
  new OperationError(`cannot save ${folder}: too many files refuse to be read, the last ${path}`, {
    code: "checkpoint-failed",
    retryable: true,
  });
