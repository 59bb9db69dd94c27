// Branches that people made themselves: brought into the hub so that they can land, and taken away
// again once they have. The user's own repository is only read, except for that.
import type { Commit } from "../../core/ids.ts";
import { OperationError } from "../../lib/operation-error.ts";
import type { AdoptedBranch } from "../../ports/git.ts";
import type { GitContext } from "./context.ts";
import { FETCH, FETCH_LOCAL, NETWORK_TIMEOUT_MS } from "./context.ts";
import { resolve } from "./refs.ts";
import { localGitDir, upstreamUnreachable } from "./target.ts";

export async function adoptBranch(
  context: GitContext,
  { branch }: { branch: string },
): Promise<AdoptedBranch | undefined> {
  await requireName(context, branch);
  const from = await fetchFrom(context, branch);
  if (from === undefined) return undefined;
  await context.crash("git.adopt.fetched");
  const head = await resolve(context, `refs/heads/${branch}`);
  if (head === undefined) return undefined;
  const [subject, bytes] = await Promise.all([subjectOf(context, head), addedBy(context, head)]);
  return { head, from, subject, bytes };
}

async function addedBy(context: GitContext, head: Commit): Promise<number> {
  const target = await resolve(context, context.targetRef);
  const range = target === undefined ? [head] : [head, `^${target}`];
  return Number((await context.inHub(["rev-list", "--disk-usage", "--objects", ...range])).stdout);
}

/** Upstream's is what others see; only where it has none does the user's own clone count. */
async function fetchFrom(
  context: GitContext,
  branch: string,
): Promise<AdoptedBranch["from"] | undefined> {
  const { upstream } = context;
  if (upstream.kind === "remote" && (await fetchRemote(context, upstream.url, branch))) {
    return "upstream";
  }
  const dir = await localGitDir(context);
  const ref = `refs/heads/${branch}`;
  if ((await resolve(context, ref, dir)) === undefined) return undefined;
  const args = [...FETCH_LOCAL, dir, `+${ref}:${ref}`];
  await context.inHub(args, { what: `fetch ${branch} from ${upstream.path}` });
  return upstream.kind === "local" ? "upstream" : "checkout";
}

async function fetchRemote(context: GitContext, url: string, branch: string): Promise<boolean> {
  const ref = `refs/heads/${branch}`;
  const args = [...FETCH, "--end-of-options", url, `+${ref}:${ref}`];
  const result = await context.inHub(args, {
    reach: "upstream",
    timeoutMs: NETWORK_TIMEOUT_MS,
    expect: [0, 1, 128],
    what: `fetch ${branch} from upstream`,
  });
  if (result.exitCode === 0) return true;
  if (result.stderr.includes("couldn't find remote ref")) return false;
  throw upstreamUnreachable(`fetch ${branch}`, result.stderr);
}

/** Most names need no git to be seen as valid. */
const PLAIN_NAME = /^[a-z0-9][a-z0-9_-]*(?:\/[a-z0-9][a-z0-9_-]*)*$/i;

async function requireName(context: GitContext, branch: string): Promise<void> {
  if (PLAIN_NAME.test(branch)) return;
  const args = ["check-ref-format", `refs/heads/${branch}`];
  const result = await context.git({ args, cwd: "/", expect: [0, 1] });
  if (result.exitCode === 0) return;
  throw new OperationError(`"${branch}" is not the name of a branch`, { code: "usage" });
}

/** Of its first commit that the target lacks: what a person would call the whole of it. */
async function subjectOf(context: GitContext, head: Commit): Promise<string> {
  const target = await resolve(context, context.targetRef);
  const range = target === undefined ? ["-1", head] : [head, `^${target}`];
  const args = ["log", "--no-merges", "--reverse", "--format=%s", ...range, "--"];
  const log = await context.inHub(args, { maxBytes: 1_000_000, overflow: "truncate" });
  return log.stdout.split("\n")[0] ?? "";
}

/**
 * Deletes the branch only while it is at `head` and checked out nowhere: no later commit is lost.
 * True where it did.
 */
export async function deleteInUserRepository(
  context: GitContext,
  { branch, head }: { branch: string; head: Commit },
): Promise<boolean> {
  const dir = await localGitDir(context);
  const ref = `refs/heads/${branch}`;
  const args = ["for-each-ref", "--format=%(objectname) %(worktreepath)", ref];
  const { stdout } = await context.git({ args, dir });
  // The branch is at its head and no worktree has it checked out.
  if (stdout.trim() !== head) return false;
  // A branch that is not at `head` any more must not be deleted.
  const remove = ["update-ref", "-d", ref, head];
  return (await context.git({ args: remove, dir, expect: [0, 1, 128] })).exitCode === 0;
}
