// Submodules in a folder that Pawl has just checked out, at the commits that the tree pins: as files
// alone, or each as a repository of its own that an agent can work in.
import { randomUUID } from "node:crypto";
import { appendFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Commit } from "../../core/ids.ts";
import { OperationError } from "../../lib/operation-error.ts";
import { CHECKOUT_INCOMPLETE } from "../../ports/git.ts";
import { Folder } from "../shared/folder.ts";
import { makeCloneOf, section } from "./clone.ts";
import type { GitContext } from "./context.ts";
import { fetchLfs } from "./lfs.ts";
import { usesLfs } from "./lfs-needed.ts";
import { submoduleHub } from "./submodule-hub.ts";
import type { Holder, Submodule } from "./submodules.ts";
import { holderOf, submodulesOf } from "./submodules.ts";

/** Submodules inside submodules. */
const DEPTH_MAX = 5;

type How = {
  /** Each gets a repository. */
  history: boolean;
  /** Only those at such paths of the repository itself. */
  only?: (path: string) => boolean;
  /** A submodule that cannot be had stays an empty folder; else it is an error. */
  lenient: boolean;
};

export async function addSubmodules(
  context: GitContext,
  { path, commit, ...how }: { path: string; commit: Commit } & How,
): Promise<void> {
  if (context.config.submodules === false) return;
  await addAll(context, { path, holder: holderOf(context, commit), depth: 0 }, how);
}

type Level = { path: string; holder: Holder; depth: number };

async function addAll(context: GitContext, level: Level, how: How): Promise<void> {
  const { submodules: all, leftOut } = await submodulesOf(context, level.holder);
  const { only } = how;
  const isWanted = level.depth > 0 || only === undefined ? () => true : only;
  const submodules = all.filter(({ path }) => isWanted(path));
  const isTooDeep = submodules.length > 0 && level.depth === DEPTH_MAX;
  const why = isTooDeep ? `they are nested more than ${DEPTH_MAX} levels deep` : leftOut;
  if (why !== undefined && !how.lenient) throw notAll(level.holder, why);
  if (submodules.length === 0 || isTooDeep) return;
  // No link is followed: a kept folder of a gate may have left one.
  await using root = await Folder.open(Buffer.from(`${level.path}/.`));
  for (const submodule of submodules) {
    await using folder = await root.make(submodule.path);
    // A checkpoint has put it back, with what the agent did in it; in a gate, a kept folder left it.
    const isThere = (await folder.stat(".git")) !== undefined;
    if (isThere && how.lenient) continue;
    if (isThere) await folder.remove(".git");
    await add(context, { ...level, path: folder.path, submodule }, how);
  }
  if (how.history) await register(level.path, submodules);
}

const notAll = ({ commit }: Holder, why: string): OperationError =>
  new OperationError(`cannot check out the submodules of ${commit}: ${why}`, {
    code: CHECKOUT_INCOMPLETE,
    hint: "change .gitmodules, or set `submodules = false` below [git] to check out none",
  });

async function add(
  context: GitContext,
  { path, submodule, depth }: Level & { submodule: Submodule },
  how: How,
): Promise<void> {
  let hub: string;
  try {
    hub = await submoduleHub(context, submodule);
  } catch (error) {
    const isMissing = error instanceof OperationError && error.code === CHECKOUT_INCOMPLETE;
    if (isMissing && how.lenient) return;
    throw error;
  }
  const { commit, isTrusted, isOnTarget, url = "" } = submodule;
  if (isTrusted && (await usesLfs(context, commit, hub))) {
    await fetchLfs(context, { dir: hub, commit, url });
  }
  if (how.history) await addRepository(context, { path, hub, commit });
  else await addFiles(context, { path, hub, commit });
  const holder = { dir: hub, commit, base: url, isTrusted: isTrusted && isOnTarget };
  await addAll(context, { path, holder, depth: depth + 1 }, how);
}

type Place = { path: string; hub: string; commit: Commit };

async function addRepository(context: GitContext, { path, hub, commit }: Place): Promise<void> {
  const source = { hub, refspec: "+refs/heads/*:refs/remotes/origin/*" };
  const dir = await makeCloneOf(context, path, source);
  await context.git({ args: ["update-ref", "--no-deref", "HEAD", commit], dir });
  await context.git({
    args: ["read-tree", "--reset", "-u", "-v", "HEAD"],
    dir,
    cwd: path,
    env: { GIT_WORK_TREE: path },
    what: `check out the submodule at ${commit}`,
  });
}

async function addFiles(context: GitContext, { path, hub, commit }: Place): Promise<void> {
  const index = join(context.privateDir, "checkouts", `${randomUUID()}.submodule`);
  try {
    await context.git({
      args: ["read-tree", "--reset", "-u", "-v", commit],
      dir: hub,
      cwd: path,
      env: { GIT_WORK_TREE: path, GIT_INDEX_FILE: index },
      settings: [["checkout.workers", "0"]],
      what: `check out the submodule at ${commit}`,
    });
  } finally {
    // A git that was ended leaves its lock, which no later one would find: the name is never used again.
    for (const file of [`${index}.lock`, index]) await rm(file, { force: true });
  }
}

/** So that `git submodule` works in a workspace; without a URL, which may hold a password. */
async function register(path: string, submodules: Submodule[]): Promise<void> {
  const lines = submodules.map(({ name }) =>
    section(`submodule "${name.replaceAll(/["\\\n]/g, String.raw`\$&`)}"`, [["active", "true"]]),
  );
  await appendFile(join(path, ".git", "config"), lines.join(""), "latin1");
}
