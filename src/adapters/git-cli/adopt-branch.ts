// Branches that people made themselves: brought into the hub so that they can land, and removed
// again once they have. The user's own repository is only read, except for that.
import type { Commit } from "../../core/ids.ts";
import { OperationError } from "../../lib/operation-error.ts";
import type { AdoptedBranch } from "../../ports/git.ts";
import type { GitContext } from "./context.ts";
import { FETCH, FETCH_LOCAL, NETWORK_TIMEOUT_MS } from "./context.ts";
import { readRefFile } from "./refs.ts";
import { localGitDir, upstreamUnreachable } from "./target.ts";

type From = AdoptedBranch["from"];

/** All at once: one fetch, and one look at what they add, however many there are. */
export async function adoptBranches(
  context: GitContext,
  { branches }: { branches: string[] },
): Promise<(AdoptedBranch | undefined)[]> {
  for (const branch of branches) await requireName(context, branch);
  const from = await fetchAll(context, branches);
  await context.crash("git.adopt.fetched");
  const heads = new Map<string, Commit>();
  for (const branch of from.keys()) {
    const head = await readRefFile(context.hub, `refs/heads/${branch}`);
    if (head !== undefined) heads.set(branch, head);
  }
  const target = await readRefFile(context.hub, context.targetRef);
  const unique = [...new Set(heads.values())];
  const [subjects, bytes] = await Promise.all([
    subjectsOf(context, target, unique),
    addedBy(context, target, unique),
  ]);
  return branches.map((branch) => {
    const [head, place] = [heads.get(branch), from.get(branch)];
    if (head === undefined || place === undefined) return undefined;
    return { head, from: place, subject: subjects.get(head) ?? "", bytes: bytes.get(head) ?? 0 };
  });
}

const refOf = (branch: string): string => `refs/heads/${branch}`;
const copyOf = (branch: string): string => `+${refOf(branch)}:${refOf(branch)}`;

/** Upstream's is what others see; only where it has none does the user's own clone count. */
async function fetchAll(context: GitContext, branches: string[]): Promise<Map<string, From>> {
  const { upstream } = context;
  const there = upstream.kind === "remote" ? await fromRemote(context, upstream.url, branches) : [];
  const left = branches.filter((branch) => !there.includes(branch));
  const own = await fromCheckout(context, left);
  const place: From = upstream.kind === "local" ? "upstream" : "checkout";
  return new Map([
    ...there.map((branch) => [branch, "upstream"] as const),
    ...own.map((branch) => [branch, place] as const),
  ]);
}

async function fromCheckout(context: GitContext, branches: string[]): Promise<string[]> {
  if (branches.length === 0) return [];
  const dir = await localGitDir(context);
  const args = ["for-each-ref", "--format=%(refname)", ...branches.map(refOf)];
  const refs = new Set((await context.git({ args, dir })).stdout.split("\n"));
  const found = branches.filter((branch) => refs.has(refOf(branch)));
  if (found.length === 0) return [];
  await context.inHub([...FETCH_LOCAL, dir, ...found.map(copyOf)], {
    what: `fetch ${namesOf(found)} from ${context.upstream.path}`,
  });
  return found;
}

const namesOf = ([first = "", ...others]: string[]): string =>
  others.length === 0 ? first : `${first} and ${others.length} more branches`;

/** Those that upstream has. One that is missing fails the whole fetch: then it is asked which. */
async function fromRemote(context: GitContext, url: string, branches: string[]): Promise<string[]> {
  if (branches.length === 0) return [];
  const fetch = { args: [...FETCH, "--end-of-options", url, ...branches.map(copyOf)] };
  const fetched = await overNetwork(context, fetch.args, `fetch ${namesOf(branches)}`);
  if (fetched.exitCode === 0) return branches;
  if (!fetched.stderr.includes("couldn't find remote ref")) {
    throw upstreamUnreachable(`fetch ${namesOf(branches)}`, fetched.stderr);
  }
  if (branches.length === 1) return [];
  const ask = ["ls-remote", "--heads", "--end-of-options", url, ...branches.map(refOf)];
  const listed = await overNetwork(context, ask, "list upstream's branches");
  if (listed.exitCode !== 0) throw upstreamUnreachable("list its branches", listed.stderr);
  const refs = new Set(listed.stdout.split("\n").map((line) => line.split("\t")[1]));
  const there = branches.filter((branch) => refs.has(refOf(branch)));
  // Fewer than before, so that this ends also where upstream changes meanwhile.
  return fromRemote(context, url, there.length < branches.length ? there : there.slice(1));
}

const overNetwork = (context: GitContext, args: string[], what: string) =>
  context.inHub(args, {
    reach: "upstream",
    timeoutMs: NETWORK_TIMEOUT_MS,
    expect: [0, 1, 128],
    what: `${what} from upstream`,
  });

/** No limit of a branch is smaller: what all of them add is told of each. */
const LITTLE_BYTES = 1_000_000;

async function addedBy(
  context: GitContext,
  target: Commit | undefined,
  heads: Commit[],
): Promise<Map<Commit, number>> {
  const added = new Map<Commit, number>();
  if (heads.length === 0) return added;
  const not = target === undefined ? [] : [`^${target}`];
  const usage = async (some: Commit[]): Promise<number> =>
    Number(
      (await context.inHub(["rev-list", "--disk-usage", "--objects", ...some, ...not])).stdout,
    );
  const all = await usage(heads);
  for (const head of heads) {
    const isAll = all <= LITTLE_BYTES || heads.length === 1;
    added.set(head, isAll ? all : await usage([head]));
  }
  return added;
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

/** Of the first commit of each that the target lacks: what a person would call the whole of it. */
async function subjectsOf(
  context: GitContext,
  target: Commit | undefined,
  heads: Commit[],
): Promise<Map<Commit, string>> {
  if (heads.length === 0) return new Map();
  const range = target === undefined ? ["--no-walk", ...heads] : [...heads, `^${target}`];
  const args = ["log", "--reverse", "--format=%H%x00%P%x00%s", ...range, "--"];
  const log = await context.inHub(args, { maxBytes: LOG_MAX_BYTES, overflow: "truncate" });
  const commits = new Map<string, { parents: string[]; subject: string; at: number }>();
  for (const [at, line] of log.stdout.split("\n").entries()) {
    const [id = "", parents = "", subject = ""] = line.split("\0");
    commits.set(id, { parents: parents.split(" "), subject, at });
  }
  return new Map(heads.map((head) => [head, firstOf(commits, head)]));
}

const LOG_MAX_BYTES = 8_000_000;

/** The oldest that it has of its own, merges aside. */
function firstOf(
  commits: ReadonlyMap<string, { parents: string[]; subject: string; at: number }>,
  head: Commit,
): string {
  const waiting: string[] = [head];
  const seen = new Set<string>();
  let first: { subject: string; at: number } | undefined;
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    const commit = commits.get(id);
    if (commit === undefined || seen.has(id)) continue;
    seen.add(id);
    waiting.push(...commit.parents);
    const isPlain = commit.parents.length < 2;
    if (isPlain && (first === undefined || commit.at < first.at)) first = commit;
  }
  return first?.subject ?? "";
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
