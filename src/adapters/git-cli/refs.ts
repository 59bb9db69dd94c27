// Reading and moving refs of a repository, with the three answers git has: there, not there, broken.
import { mkdir, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { errorCode, hasCode } from "../../lib/error-code.ts";
import { commitId, type Commit } from "../../core/ids.ts";
import { ifThere } from "../../lib/if-there.ts";
import { readUntrusted } from "../shared/untrusted-file.ts";
import { perContext, type GitContext } from "./context.ts";

/** The commit a name points at; undefined where there is none. */
export async function resolve(
  context: GitContext,
  name: string,
  dir: string = context.hub,
): Promise<Commit | undefined> {
  const told = await commitInFile(dir, name);
  const known = proven(context);
  const key = `${dir} ${told}`;
  if (told !== undefined && known.has(key)) return told;
  const args = ["rev-parse", "--verify", "--quiet", "--end-of-options", `${name}^{commit}`];
  const result = await context.git({ args, dir, expect: [0, 1, 128] });
  if (result.exitCode !== 0) return undefined;
  const commit = commitId(result.stdout);
  if (known.size >= PROVEN_MAX) known.clear();
  if (commit === told) known.add(key);
  return commit;
}

/**
 * What git has once found as commits of a repository. A ref that points at one of them needs no git to
 * be read: a daemon that only looks whether its target has moved started five for each look.
 */
const proven = perContext((): Set<string> => new Set());
const PROVEN_MAX = 1000;

/** What the ref's own file says. Undefined where git keeps it in another way, or it is another name. */
async function commitInFile(dir: string, name: string): Promise<Commit | undefined> {
  if (!name.startsWith("refs/") || name.includes("..")) return undefined;
  const text = (await readUntrusted(join(dir, name), LOOSE_MAX_BYTES))?.trim() ?? "";
  return isId(text) ? commitId(text) : undefined;
}
const LOOSE_MAX_BYTES = 100;

/**
 * The same for a full name, read from git's files: a git for it would be a third of the time of a
 * save without changes. Only for repositories that we made ourselves.
 */
export async function readRefFile(dir: string, name: string): Promise<Commit | undefined> {
  const loose = (await textOf(join(dir, name)))?.trim();
  if (loose !== undefined && isId(loose)) return commitId(loose);
  const packed = (await textOf(join(dir, "packed-refs"))) ?? "";
  const line = packed.split("\n").find((text) => text.endsWith(` ${name}`));
  const id = line?.split(" ", 1)[0] ?? "";
  return isId(id) ? commitId(id) : undefined;
}

/** Whether there may be a ref whose name begins so: `folder` ends with a slash. Only for the hub. */
export async function hasRefsBelow(dir: string, folder: string): Promise<boolean> {
  const loose = (await ifThere(readdir(join(dir, folder)))) ?? [];
  if (loose.length > 0) return true;
  return ((await textOf(join(dir, "packed-refs"))) ?? "").includes(` ${folder}`);
}

const isId = (text: string): boolean => /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text);

const textOf = (path: string): Promise<string | undefined> => readUntrusted(path, REFS_MAX_BYTES);
const REFS_MAX_BYTES = 64 * 1024 * 1024;

/** Whether everything in `ancestor` is in `descendant` too. */
export async function isAncestor(
  context: GitContext,
  ancestor: Commit,
  descendant: Commit,
): Promise<boolean> {
  if (ancestor === descendant) return true;
  const args = ["merge-base", "--is-ancestor", ancestor, descendant];
  const result = await context.inHub(args, { expect: [0, 1] });
  return result.exitCode === 0;
}

/** The commit where two histories parted; undefined where they have nothing in common. */
export async function mergeBase(
  context: GitContext,
  a: Commit,
  b: Commit,
): Promise<Commit | undefined> {
  const result = await context.inHub(["merge-base", a, b], { expect: [0, 1] });
  return result.exitCode === 0 ? commitId(result.stdout) : undefined;
}

/** Points a ref of the hub at a commit that is there; the ref may exist already. */
export async function setRef(context: GitContext, ref: string, commit: Commit): Promise<void> {
  if (await writeRefFile(context.hub, ref, commit)) return;
  await context.inHub(["update-ref", ref, commit]);
}

/** Names that need no git to be seen as valid, and as no way to another folder. */
const PLAIN_REF = /^refs(?:\/[a-z0-9][a-z0-9_-]*)+$/i;
/** No other ref can be called like the folder of these. */
const QUEUE_REF = /^refs\/pawl\/queue\/\d+$/;

/**
 * As git does it, without starting one: whole, under git's own lock. False where anything is in the way;
 * then git does it, or says why it cannot. A ref that is new may clash with one that git has packed.
 */
async function writeRefFile(dir: string, ref: string, commit: Commit): Promise<boolean> {
  const path = join(dir, ref);
  const lock = `${path}.lock`;
  if (!PLAIN_REF.test(ref)) return false;
  if (!QUEUE_REF.test(ref) && (await ifThere(stat(path))) === undefined) return false;
  try {
    // Git removes it with the last ref in it. Not what is above it: a hub that was removed stays removed.
    await mkdir(dirname(path)).catch(() => undefined);
    await writeFile(lock, `${commit}\n`, { flag: "wx", flush: true });
  } catch (error) {
    if (hasCode(error, ["EEXIST", "ENOENT", "ENOTDIR"])) return false;
    throw error;
  }
  try {
    await rename(lock, path);
    return true;
  } catch (error) {
    await rm(lock, { force: true });
    if (errorCode(error) === undefined) throw error;
    return false;
  }
}

/** Removes a ref of the hub if it is still at `expected`; true where it is gone afterwards. */
export async function deleteRef(
  context: GitContext,
  ref: string,
  expected: Commit | undefined,
): Promise<boolean> {
  const current = await readRefFile(context.hub, ref);
  if (current === undefined) return true;
  if (expected !== undefined && current !== expected) return false;
  await context.inHub(["update-ref", "-d", ref, current]);
  return true;
}
