// Bringing an agent's branch into the hub, and saying what it left uncommitted. Nothing of the
// workspace's own configuration takes part: the comparison is made from the hub, with a copy of
// the workspace's index.
import { rm } from "node:fs/promises";
import { createHash } from "node:crypto";
import { join } from "node:path";
import type { Commit } from "../../core/ids.ts";
import { OperationError } from "../../lib/operation-error.ts";
import type { BranchState } from "../../ports/git.ts";
import { treeOf } from "./commits.ts";
import type { GitContext } from "./context.ts";
import { FETCH_LOCAL } from "./context.ts";
import { takeLfs } from "./lfs.ts";
import { irregularIn } from "./irregular.ts";
import { resolve } from "./refs.ts";
import { listedPaths, shownPath } from "./scan.ts";
import { excludeRules } from "./snapshot.ts";
import { isSparse, SPARSE } from "./sparse.ts";
import { copyWholeIndex } from "./whole-index.ts";
import { readRefs } from "./workspace-refs.ts";

const DIRTY_MAX = 200;

export async function fetchBranch(
  context: GitContext,
  request: { workspace: string; branch: string; target: Commit },
): Promise<BranchState> {
  const { workspace, branch } = request;
  const ref = `refs/heads/${branch}`;
  const odd = await irregularIn(join(workspace, ".git"));
  if (odd !== undefined) throw irregular(workspace, branch, odd);
  const there = await readRefs(context, { path: workspace, key: workspace });
  const head = there?.refs.get(ref);
  if (there === undefined || head === undefined) throw branchMissing(workspace, branch);
  if ((await resolve(context, ref)) !== head) {
    await context.crash("git.branch.before-fetch");
    await context.inHub([...FETCH_LOCAL, "--end-of-options", workspace, `+${ref}:${ref}`], {
      what: `fetch ${branch} from ${workspace}`,
    });
    await context.crash("git.branch.fetched");
  }
  const fetched = (await resolve(context, ref)) ?? head;
  // Also where the branch is here already: the last attempt may have ended before this.
  await takeLfs(context, { workspace, head: fetched, target: request.target });
  const own = [fetched, `^${request.target}`];
  const [tree, count, size, dirty] = await Promise.all([
    treeOf(context, fetched),
    context.inHub(["rev-list", "--count", ...own]),
    context.inHub(["rev-list", "--disk-usage", "--objects", ...own]),
    dirtyPaths(context, workspace, there.head ?? fetched),
  ]);
  const elsewhere = there.branch === ref ? {} : { elsewhere: there.branch ?? there.head ?? "HEAD" };
  const [ahead, bytes] = [Number(count.stdout), Number(size.stdout)];
  return { head: fetched, tree, ahead, bytes, dirty, ...elsewhere };
}

const branchMissing = (workspace: string, branch: string): OperationError =>
  new OperationError(`cannot fetch ${branch} from ${workspace}: it has no such branch`, {
    code: "branch-missing",
    hint: `the agent must commit on ${branch}`,
  });

const irregular = (workspace: string, branch: string, path: string): OperationError =>
  new OperationError(
    `cannot fetch ${branch} from ${workspace}: ${path} is neither a file nor a folder`,
    { code: "repository-irregular", hint: `remove ${path}; git would wait for it forever` },
  );

/** Changed, staged, deleted and untracked paths against what is checked out. */
async function dirtyPaths(context: GitContext, workspace: string, head: Commit): Promise<string[]> {
  const name = createHash("sha1").update(workspace).digest("hex").slice(0, 20);
  const index = join(context.privateDir, "checkpoints", `${name}.dirty`);
  return context.serial(index, async () => {
    const env = {
      GIT_WORK_TREE: workspace,
      GIT_INDEX_FILE: index,
      GIT_ALTERNATE_OBJECT_DIRECTORIES: join(workspace, ".git", "objects"),
    };
    const settings = (await isSparse(workspace)) ? SPARSE : [];
    const call = { dir: context.hub, cwd: workspace, env, settings };
    await copyIndex(context, { workspace, index, head, env });
    const rules = await excludeRules(workspace);
    await context.git({
      args: ["update-index", "-q", "--really-refresh"],
      ...call,
      expect: [0, 1],
    });
    const [changed, untracked] = await Promise.all([
      context.git({
        args: [
          "diff-index",
          "-z",
          "--name-only",
          "--no-renames",
          "--ignore-submodules=dirty",
          head,
        ],
        ...call,
      }),
      context.git({
        args: ["ls-files", "-z", "--others", ...rules],
        ...call,
      }),
    ]);
    await rm(index, { force: true });
    const paths = [...listedPaths(changed.bytes), ...listedPaths(untracked.bytes)];
    return [...new Set(paths)].map(shownPath).toSorted().slice(0, DIRTY_MAX);
  });
}

async function copyIndex(
  context: GitContext,
  request: { workspace: string; index: string; head: Commit; env: Record<string, string> },
): Promise<void> {
  await rm(`${request.index}.lock`, { force: true });
  if (await copyWholeIndex(context, request)) return;
  const call = { dir: context.hub, cwd: request.workspace, env: request.env };
  await context.git({ args: ["read-tree", request.head], ...call });
}
