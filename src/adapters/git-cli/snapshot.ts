// Turns a folder into a tree in the hub: bytes as they are, everything that is not ignored.
// A private index beside the hub remembers what was seen, so that only changes are read. The
// folder's own index, configuration and hooks are never used or touched.
import { createHash } from "node:crypto";
import { rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Tree } from "../../core/ids.ts";
import { treeId } from "../../core/ids.ts";
import { ifThere } from "../../lib/if-there.ts";
import { OperationError } from "../../lib/operation-error.ts";
import { openInside } from "../shared/folder.ts";
import { changesOf } from "./changes.ts";
import type { GitContext } from "./context.ts";
import { perContext } from "./context.ts";
import { fingerprint } from "./fingerprint.ts";
import { rawEnvironment } from "./hub.ts";
import { takeLeftOut } from "./left-out.ts";
import type { Candidates, SizeLimits } from "./scan.ts";
import { classify, listedPaths, shownPath } from "./scan.ts";
import { isSparse, SPARSE } from "./sparse.ts";
import type { Place } from "./workspace-refs.ts";

export type Snapshot = {
  tree: Tree;
  /** Repositories inside, which the tree leaves out. */
  nested: string[];
  /** Files that no tree can hold under their name (checkpoint-extra.ts), as byte strings. */
  odd: string[];
  /** Holds paths that are too long for the system; they are looked for in another way. */
  isTooDeep: boolean;
  /** Not saved, though they hold something; shown names. */
  skipped: string[];
  /** Of those, the ones of which the tree has an older copy. */
  partial: string[];
  /** Pipes, sockets and devices. */
  special: string[];
};

export type SaveLimits = Omit<SizeLimits, "now"> & {
  /** Only what the watch of the folder saw change, where it saw everything. */
  quick?: boolean;
};

/** A large file that changed since then is probably being written. */
export const QUIET_MS = 10_000;
/** About 20,000 files. */
const LARGE_INDEX_BYTES = 2 * 1024 * 1024;
/** A file that cannot be saved is set aside and the rest tried again, this often. */
const ATTEMPTS_MAX = 20;

/** The private index of a folder; one at a time may use it (`serial` with this key). */
export const indexOf = (context: GitContext, folder: string): string => {
  const name = createHash("sha1").update(folder).digest("hex").slice(0, 20);
  return join(context.privateDir, "checkpoints", `${name}.index`);
};

export async function snapshot(
  context: GitContext,
  place: Place,
  limits: SaveLimits = { maxBytes: context.fileMaxBytes, quietMs: QUIET_MS },
): Promise<Snapshot> {
  const index = indexOf(context, place.key);
  // The index is Pawl's own and no other git uses it now: a lock was left behind by a git process that died.
  await rm(`${index}.lock`, { force: true });
  try {
    return await attempt(context, place, { index, limits });
  } catch (error) {
    // The index is only a memory of what was seen: where it is broken, everything is read again.
    const broken =
      error instanceof OperationError && /index file|bad signature/i.test(error.message);
    if (!broken) throw error;
    await rm(index, { force: true });
    return attempt(context, place, { index, limits: { ...limits, quick: false } });
  }
}

/** Folders whose files are all in their tree: what changes there can be looked at by itself. */
const plainOf = perContext(() => new Set<string>());

const isPlain = (taken: Snapshot): boolean =>
  !taken.isTooDeep &&
  [taken.nested, taken.odd, taken.skipped, taken.special].every((paths) => paths.length === 0);

type Call = { cwd: string; env: Record<string, string>; settings: [string, string][] };

async function attempt(
  context: GitContext,
  place: Place,
  { index, limits }: { index: string; limits: SaveLimits },
): Promise<Snapshot> {
  const only = limits.quick === true ? await seenChanged(context, place, index) : undefined;
  try {
    const taken = await look(context, place, { index, limits, only });
    if (only === undefined || isPlain(taken)) return note(context, place, taken);
    return note(context, place, await look(context, place, { index, limits, only: undefined }));
  } catch (error) {
    changesOf(context).get(place.key)?.addUnknown();
    throw error;
  }
}

function note(context: GitContext, { key }: Place, taken: Snapshot): Snapshot {
  if (isPlain(taken)) plainOf(context).add(key);
  else plainOf(context).delete(key);
  return taken;
}

/** Undefined where everything must be looked at. */
async function seenChanged(
  context: GitContext,
  { path, key }: Place,
  index: string,
): Promise<string[] | undefined> {
  const changes = path === key ? changesOf(context).get(key) : undefined;
  if (changes === undefined) return undefined;
  // In between, the events that the system holds are delivered.
  for (let turn = 0; turn < 2; turn += 1) await nextTurn();
  const paths = changes.take(performance.now());
  const isKnown = plainOf(context).has(key) && (await fingerprint(index)) !== undefined;
  return isKnown ? paths : undefined;
}

async function look(
  context: GitContext,
  place: Place,
  { index, limits, only }: { index: string; limits: SaveLimits; only: string[] | undefined },
): Promise<Snapshot> {
  const folder = place.path;
  const env = { ...rawEnvironment(context), GIT_WORK_TREE: folder, GIT_INDEX_FILE: index };
  const sparse = await isSparse(folder);
  const call = { cwd: folder, env, settings: sparse ? SPARSE : [] };
  const refused = new Set<string>();
  for (let tries = 1; ; tries += 1) {
    // The last look before a removal relies on no memory of an earlier one.
    if (limits.quietMs === 0) listedAt(context).delete(place.key);
    const listed = await listChanged(context, place, { ...call, only });
    const paths = listed.paths.filter((path) => !refused.has(path));
    const listing = await classify(folder, paths, { ...limits, now: Date.now() });
    const found = await dropOdd(context, call, listing);
    const updated = await update(context, call, found);
    if (updated.culprit === undefined) {
      // A file that went may be one that is left out again.
      const again = found.gone.length > 0;
      if (sparse) await takeLeftOut(context, { place, call, again });
      const tree = await writeTree(context, index, call);
      const skipped = [...found.skipped, ...refused, ...updated.ignored];
      noteForced(context, place, { listed, saved: found.changed, ignored: updated.ignored });
      return {
        tree,
        nested: found.nested,
        odd: found.odd,
        isTooDeep: listed.isTooDeep || found.odd.some((path) => path.length > DEEP_BYTES),
        skipped: [...skipped.map(shownPath), ...listed.closed].toSorted(),
        partial: await partialOf(context, call, skipped),
        special: found.special.map(shownPath).toSorted(),
      };
    }
    if (tries === ATTEMPTS_MAX) throw tooManyRefused(folder, updated.culprit);
    refused.add(updated.culprit);
  }
}

/** Git reads paths relative to its folder; from here on some of them may be too long for it. */
export const DEEP_BYTES = 3_500;

/** Files of which an earlier save has a copy, which is not what is there now. */
async function partialOf(context: GitContext, call: Call, skipped: string[]): Promise<string[]> {
  if (skipped.length === 0) return [];
  const listed = await context.git({ args: ["ls-files", "-z", "--cached"], ...call });
  const known = new Set(listedPaths(listed.bytes));
  return skipped
    .filter((path) => known.has(path))
    .map(shownPath)
    .toSorted();
}

/** Trees by private index, with the fingerprint of the index that each is of. */
const treesOf = perContext(() => new Map<string, { print: string; tree: Tree }>());

/** An index that was not touched since is the same tree. */
async function writeTree(context: GitContext, index: string, call: Call): Promise<Tree> {
  const known = treesOf(context).get(index);
  if (known !== undefined && (await fingerprint(index)) === known.print) return known.tree;
  const tree = treeId((await context.git({ args: ["write-tree"], ...call })).stdout);
  // Git may write what it computed into the index, so that it is looked at afterwards.
  const print = await fingerprint(index);
  if (print !== undefined) treesOf(context).set(index, { print, tree });
  return tree;
}

/** What a repository ignores, as options of `git ls-files`. A file behind a link is no part of it. */
export async function excludeRules(folder: string): Promise<string[]> {
  const path = join(".git", "info", "exclude");
  await using file = await openInside(`${folder}/.`, path);
  return ["--exclude-standard", ...(file === undefined ? [] : ["-X", join(folder, path)])];
}

type Listed = {
  paths: string[];
  /** Folders that cannot be opened. */
  closed: string[];
  isTooDeep: boolean;
  /** The fingerprint of the folder's own index before its forced files were listed. */
  own: string | undefined;
};

async function listChanged(
  context: GitContext,
  place: Place,
  { only, ...how }: Call & { only: string[] | undefined },
): Promise<Listed> {
  const folder = place.path;
  const rules = await excludeRules(folder);
  const env: Record<string, string> = { ...how.env, GIT_LITERAL_PATHSPECS: "1" };
  const call = { ...how, env, what: `look at the files of ${folder}` };
  const own = await fingerprint(ownIndex(folder));
  const isLarge = await isLargeIndex(env["GIT_INDEX_FILE"] ?? "");
  // From here to where it is awaited nothing else is: a git that fails at once would end the daemon.
  const listsForced = listForced(context, place, { env: how.env, rules, own });
  if (only?.length === 0) return { paths: await listsForced, closed: [], isTooDeep: false, own };
  const paths = only === undefined ? [] : ["--", ...only];
  const both = isLarge ? [] : ["--modified"];
  const [seen, changed, forced] = await Promise.all([
    context.git({ args: ["ls-files", "-z", "--others", ...both, ...rules, ...paths], ...call }),
    isLarge
      ? context.git({ args: ["diff-files", "-z", "--name-only", ...paths], ...call })
      : undefined,
    listsForced,
  ]);
  const modified = changed === undefined ? [] : listedPaths(changed.bytes);
  const found = [...new Set([...listedPaths(seen.bytes), ...modified, ...forced])];
  const closed = [...seen.stderr.matchAll(/could not open directory '(?<path>[^\n]*?)\/?':/g)]
    .map((match) => match.groups?.["path"] ?? "")
    .filter((path) => path.length < DEEP_BYTES);
  // Git cuts the longest of its lines, so that what it could not open has no name there.
  const isTooDeep = seen.stderr.split("\n").some((line) => line.length > DEEP_BYTES);
  return { paths: found, closed, isTooDeep, own };
}

/** With tens of thousands of files two gits side by side, one of them threaded, take half the time. */
const isLargeIndex = async (index: string): Promise<boolean> =>
  ((await ifThere(stat(index)))?.size ?? 0) > LARGE_INDEX_BYTES;

/** Fingerprints of the folders' own indexes when all their forced files were last saved. */
const listedAt = perContext(() => new Map<string, string>());

const ownIndex = (folder: string): string => join(folder, ".git", "index");

/**
 * Forced files that are in the private index are seen by it from then on. One that was gone, skipped
 * or refused is not, so that they are listed again: what comes back under its name is ignored.
 */
function noteForced(
  context: GitContext,
  { key }: Place,
  { listed, saved, ignored }: { listed: Listed; saved: string[]; ignored: string[] },
): void {
  const seen = new Set(saved);
  for (const path of ignored) seen.delete(path);
  const isAll = listed.paths.every((path) => path.endsWith("/") || seen.has(path));
  if (isAll && listed.own !== undefined) listedAt(context).set(key, listed.own);
  else listedAt(context).delete(key);
}

/** Files that are ignored but tracked all the same (`add -f`): they are work too. */
async function listForced(
  context: GitContext,
  { path: folder, key }: Place,
  how: { env: Record<string, string>; rules: string[]; own: string | undefined },
): Promise<string[]> {
  if (how.own === undefined) return [];
  const mine = await fingerprint(how.env["GIT_INDEX_FILE"] ?? "");
  if (mine !== undefined && listedAt(context).get(key) === how.own) return [];
  const args = ["ls-files", "-z", "--cached", "--ignored", ...how.rules];
  const env = { ...how.env, GIT_INDEX_FILE: ownIndex(folder) };
  // An index that a foreign git wrote in a way ours cannot read costs only these files.
  const result = await context.git({ args, cwd: folder, env, expect: [0, 128] });
  return listedPaths(result.bytes);
}

/**
 * What became odd must not stay in the index as it was, nor what was in a folder of that name. A path
 * below a link is gone too, though the system finds a file there: the link itself replaces it.
 */
async function dropOdd(context: GitContext, call: Call, found: Candidates): Promise<Candidates> {
  if (found.odd.length === 0 && found.links.length === 0) return found;
  const odd = new Set([...found.odd, ...found.links]);
  const isBelow = (path: string): boolean => {
    for (let at = path.indexOf("/"); at !== -1; at = path.indexOf("/", at + 1)) {
      if (odd.has(path.slice(0, at))) return true;
    }
    return false;
  };
  const below = [...found.gone, ...found.changed, ...found.skipped].filter(isBelow);
  const dropped = [...found.odd, ...below];
  if (dropped.length === 0) return found;
  const stdin = Buffer.from(dropped.map((path) => `${path}\0`).join(""), "latin1");
  const args = ["update-index", "-z", "--force-remove", "--stdin"];
  await context.git({ args, ...call, stdin });
  const rest = (paths: string[]): string[] => paths.filter((path) => !isBelow(path));
  return {
    ...found,
    gone: rest(found.gone),
    changed: rest(found.changed),
    skipped: rest(found.skipped),
  };
}

type Updated = {
  /** The path that git refused, where it did. */
  culprit?: string;
  /** Paths that git left out without failing. */
  ignored: string[];
};

/** Brings the index up to date. */
async function update(context: GitContext, call: Call, found: Candidates): Promise<Updated> {
  const paths = [...found.gone, ...found.changed];
  if (paths.length === 0) return { ignored: [] };
  const stdin = Buffer.from(paths.map((path) => `${path}\0`).join(""), "latin1");
  const args = ["update-index", "-z", "--add", "--remove", "--replace", "--stdin"];
  // `core.fsyncMethod=batch` gained nothing here: 0.9 s against 1.1 s for 1,000 new files.
  const result = await context.git({
    args,
    ...call,
    stdin,
    settings: [...STREAMED, ...call.settings],
    expect: [0, 128],
  });
  const named = new Map(paths.map((path) => [shownPath(path), path]));
  // A name may hold a newline, so that its line is looked for, not taken apart.
  const said = `${result.stderr}\n`;
  const ignored = said.includes("Ignoring path ")
    ? paths.filter((path) => said.includes(`Ignoring path ${shownPath(path)}\n`))
    : [];
  if (result.exitCode === 0) return { ignored: ignored.filter((path) => !gone(found, path)) };
  const blamed = /Unable to process path (?<path>.*)/.exec(result.stderr)?.groups?.["path"];
  const culprit = named.get(blamed ?? "");
  if (culprit !== undefined) return { culprit, ignored };
  throw new OperationError(`cannot save ${call.cwd}: git update-index said: ${result.stderr}`, {
    code: "checkpoint-failed",
    retryable: true,
  });
}

const gone = (found: Candidates, path: string): boolean => found.gone.includes(path);

/** Large files go into a pack piece by piece, and quickly rather than small. */
const STREAMED: [string, string][] = [
  ["core.bigFileThreshold", "16m"],
  ["core.compression", "1"],
];

const tooManyRefused = (folder: string, path: string): OperationError =>
  new OperationError(
    `cannot save ${folder}: too many files cannot be read, the last one is ${path}`,
    {
      code: "checkpoint-failed",
      retryable: true,
    },
  );
