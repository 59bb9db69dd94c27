// Pushing to a remote upstream, each ref only from the commit that is expected there. A lease accepts
// any history: on the target, land-remote.ts asks before that it goes forward.
import type { Commit } from "../../core/ids.ts";
import { commitId } from "../../core/ids.ts";
import { OperationError } from "../../lib/operation-error.ts";
import { deleteInUserRepository } from "./adopt-branch.ts";
import type { GitContext } from "./context.ts";
import { NETWORK_TIMEOUT_MS } from "./context.ts";
import type { BranchPlace } from "../../core/merge-queue/queue.ts";
import { pushLfs } from "./lfs.ts";
import type { BranchPush } from "../../ports/git.ts";
import { isAncestor, resolve, setRef } from "./refs.ts";
import { upstreamUnreachable } from "./target.ts";
import { fetchTheirs, pushedRef, theirLog, theirsRef, valueThere } from "./upstream-branch.ts";

export type PushOutcome =
  | { kind: "pushed" }
  /** The ref there is not what was expected. */
  | { kind: "stale" }
  /** Upstream itself said no. */
  | { kind: "declined"; reason: string; remoteSaid: string };

type Push = { url: string; refspec: string; lease?: string };

export async function push(context: GitContext, request: Push): Promise<PushOutcome> {
  const [pushed = ""] = request.refspec.split(":");
  if (pushed !== "") await pushLfs(context, request.url, commitId(pushed));
  const lease = request.lease === undefined ? [] : [`--force-with-lease=${request.lease}`];
  const args = [
    "push",
    "--porcelain",
    "--progress",
    "--no-verify",
    ...lease,
    "--end-of-options",
    request.url,
  ];
  const result = await context.inHub([...args, request.refspec], {
    reach: "upstream",
    timeoutMs: NETWORK_TIMEOUT_MS,
    expect: [0, 1, 128],
    what: "push to upstream",
  });
  if (result.exitCode === 0) return { kind: "pushed" };
  const outcome = parsePush(result.stdout, result.stderr);
  if (outcome === undefined) throw upstreamUnreachable("push", result.stderr);
  return outcome;
}

/** What servers say that are out of order for a while: no refusal by a rule of theirs. */
const OUT_OF_ORDER =
  /internal server|internal error|unpacker error|\[remote failure\]|failed to report status|service unavailable|bad gateway|gateway time-?out|temporarily unavailable/i;

/** Rules of git itself, which its server tells as an error of the unpacker. */
const RULE = /fsck error|exceeds maximum allowed size|insufficient permission/i;

/**
 * What `push --porcelain` says of the one ref; undefined where it did not get that far, or upstream is
 * out of order.
 */
export function parsePush(stdout: string, stderr: string): PushOutcome | undefined {
  const line = stdout.split("\n").find((text) => text.startsWith("!\t"));
  if (line === undefined) return undefined;
  const summary = line.split("\t")[2] ?? "";
  if (summary.startsWith("[rejected]")) return { kind: "stale" };
  const reason = /\((?<reason>.*)\)/.exec(summary)?.groups?.["reason"] ?? summary;
  // Another push was quicker: the lock of the ref, or its old value.
  if (
    /cannot lock ref|failed to update ref|incorrect old value|reference already exists/.test(reason)
  ) {
    return { kind: "stale" };
  }
  const said = stderr
    .split("\n")
    .flatMap((text) => /^remote: (?<said>.*\S)/.exec(text)?.groups?.["said"] ?? []);
  const isRule = said.some((text) => RULE.test(text));
  if (!isRule && [summary, ...said].some((text) => OUT_OF_ORDER.test(text))) return undefined;
  return { kind: "declined", reason, remoteSaid: said.join("\n").slice(0, 1_000) };
}

export async function pushBranch(
  context: GitContext,
  request: { branch: string; head: Commit },
): Promise<BranchPush> {
  if (context.upstream.kind === "local") return { kind: "pushed" };
  const { url } = context.upstream;
  const { branch, head } = request;
  const there = await valueThere(context, branch);
  if (!(await mayReplace(context, there, request))) return overtaken(context, request);
  await context.crash("git.push.before");
  const outcome = await push(context, {
    url,
    refspec: `${head}:refs/heads/${branch}`,
    lease: `refs/heads/${branch}:${there ?? ""}`,
  });
  await context.crash("git.push.pushed");
  if (outcome.kind === "stale") throw movedUpstream(branch);
  if (outcome.kind === "declined") {
    const said = outcome.remoteSaid === "" ? "" : `: ${outcome.remoteSaid}`;
    throw new OperationError(`cannot push ${branch} to upstream: ${outcome.reason}${said}`, {
      code: "push-rejected",
      hint: "allow Pawl's account to push to pawl/*",
    });
  }
  await setRef(context, pushedRef(branch), head);
  await context.crash("git.push.recorded");
  return { kind: "pushed" };
}

/**
 * True if upstream has no such branch, or the commit that was pushed last, or an ancestor of the
 * commit that is pushed now. Every other commit was pushed by another writer.
 */
async function mayReplace(
  context: GitContext,
  there: Commit | undefined,
  { branch, head }: { branch: string; head: Commit },
): Promise<boolean> {
  if (there === undefined || there === head) return true;
  if (there === (await resolve(context, pushedRef(branch)))) return true;
  const known = (await resolve(context, there)) !== undefined;
  return (
    known && ((await isAncestor(context, there, head)) || (await hasAll(context, there, head)))
  );
}

/** Each of their changes is in ours, only on another base. */
async function hasAll(context: GitContext, theirs: Commit, ours: Commit): Promise<boolean> {
  const range = `${ours}...${theirs}`;
  const [patches, merges] = await Promise.all([
    context.inHub(["rev-list", "--count", "--cherry-pick", "--right-only", "--no-merges", range]),
    context.inHub(["rev-list", "--count", "--merges", theirs, `^${ours}`]),
  ]);
  return patches.stdout.trim() === "0" && merges.stdout.trim() === "0";
}

/** Fetches their commits into the hub, so that the next run can merge them. */
async function overtaken(
  context: GitContext,
  { branch, head }: { branch: string; head: Commit },
): Promise<BranchPush> {
  const theirs = await fetchTheirs(context, branch);
  // It went, or is ours by now: the next try sees.
  if (theirs === undefined || (await mayReplace(context, theirs, { branch, head }))) {
    throw movedUpstream(branch);
  }
  return { kind: "overtaken", theirs, log: await theirLog(context, { theirs, ours: head }) };
}

/** The branch if it is at `head`, and with it the memory of what was pushed. */
async function deleteInHub(
  context: GitContext,
  { branch, head }: { branch: string; head: Commit },
): Promise<void> {
  const [ref, pushed] = [`refs/heads/${branch}`, pushedRef(branch)];
  const theirs = theirsRef(branch);
  if (context.upstream.kind === "local") {
    // Mostly it is there and at `head`: then nothing needs to be looked at first.
    const tried = ["update-ref", "-d", ref, head];
    if ((await context.inHub(tried, { expect: [0, 1, 128] })).exitCode === 0) return;
  }
  const args = ["for-each-ref", "--format=%(objectname) %(refname)", ref, pushed, theirs];
  const lines = (await context.inHub(args)).stdout.split("\n");
  const at = (name: string): string | undefined =>
    lines.find((line) => line.endsWith(` ${name}`))?.split(" ")[0];
  if (at(ref) !== undefined && at(ref) !== head) return;
  const wanted = [ref, pushed, theirs].filter((name) => at(name) !== undefined);
  if (wanted.length === 0) return;
  const stdin = wanted.map((name) => `delete ${name} ${at(name)}\n`).join("");
  await context.inHub(["update-ref", "--stdin"], { stdin });
}

const movedUpstream = (branch: string): OperationError =>
  new OperationError(`cannot push ${branch} to upstream: another program changes it there`, {
    code: "branch-moved-upstream",
    hint: `look at upstream's ${branch}`,
    retryable: true,
  });

/** At `head`, or where we brought it for the forge to merge, and that is on the target. */
async function isDone(
  context: GitContext,
  at: { branch: string; head: Commit; there: Commit | undefined },
): Promise<boolean> {
  const { branch, head, there } = at;
  if (there === undefined || there === head) return there !== undefined;
  if ((await resolve(context, pushedRef(branch))) !== there) return false;
  const target = await resolve(context, context.targetRef);
  return target !== undefined && (await isAncestor(context, there, target));
}

export async function deleteBranch(
  context: GitContext,
  request: { branch: string; head: Commit },
): Promise<BranchPlace | undefined> {
  const { branch } = request;
  let from: BranchPlace | undefined;
  await context.crash("git.delete.before");
  const there = await valueThere(context, branch);
  if (context.upstream.kind === "remote" && (await isDone(context, { ...request, there }))) {
    // A branch that moved meanwhile must not be deleted.
    const { url } = context.upstream;
    const pushed = await push(context, {
      url,
      refspec: `:refs/heads/${branch}`,
      lease: `refs/heads/${branch}:${there}`,
    });
    if (pushed.kind === "pushed") from = "upstream";
  }
  if (context.upstream.kind === "local" && (await deleteInUserRepository(context, request))) {
    from = "checkout";
  }
  await context.crash("git.delete.upstream-gone");
  await deleteInHub(context, request);
  await context.crash("git.delete.hub-gone");
  return from;
}
