// What upstream has of one of Pawl's own branches. Other people may have pushed to it, and on a new
// machine it is all that is left of the work. This file only reads; what it fetches gets a separate
// ref.
import type { Commit } from "../../core/ids.ts";
import { commitId } from "../../core/ids.ts";
import type { GitContext } from "./context.ts";
import { FETCH, NETWORK_TIMEOUT_MS } from "./context.ts";
import { isAncestor, resolve, setRef } from "./refs.ts";
import { upstreamUnreachable } from "./target.ts";

/** Where upstream's branch is kept in the hub, so that its commits can be merged from there. */
export const theirsRef = (branch: string): string => `refs/pawl/theirs/${branch}`;
/** What was last pushed there. */
export const pushedRef = (branch: string): string => `refs/pawl/pushed/${branch}`;

export async function valueThere(context: GitContext, branch: string): Promise<Commit | undefined> {
  if (context.upstream.kind === "local") return undefined;
  const ref = `refs/heads/${branch}`;
  const result = await context.inHub(["ls-remote", "--end-of-options", context.upstream.url, ref], {
    reach: "upstream",
    timeoutMs: NETWORK_TIMEOUT_MS,
    expect: [0, 128],
  });
  if (result.exitCode !== 0) throw upstreamUnreachable(`look at ${branch}`, result.stderr);
  const line = result.stdout.split("\n").find((text) => text.endsWith(`\t${ref}`));
  return line === undefined ? undefined : commitId(line.split("\t")[0] ?? "");
}

/** Undefined where upstream has no such branch. */
export async function fetchTheirs(
  context: GitContext,
  branch: string,
): Promise<Commit | undefined> {
  if (context.upstream.kind === "local") return undefined;
  const { url } = context.upstream;
  const refspec = `+refs/heads/${branch}:${theirsRef(branch)}`;
  const args = [...FETCH, "--end-of-options"];
  const result = await context.inHub([...args, url, refspec], {
    reach: "upstream",
    timeoutMs: NETWORK_TIMEOUT_MS,
    expect: [0, 1, 128],
    what: `fetch ${branch} from upstream`,
  });
  if (result.exitCode === 0) return resolve(context, theirsRef(branch));
  if (result.stderr.includes("couldn't find remote ref")) return undefined;
  throw upstreamUnreachable(`fetch ${branch}`, result.stderr);
}

/**
 * Continues from upstream's branch if the hub has none, or if people pushed on top of the hub's.
 * Diverged histories stay as they are, and the next push reports it.
 */
export async function followUpstream(context: GitContext, branch: string): Promise<void> {
  if (context.upstream.kind === "local") return;
  const theirs = await fetchTheirs(context, branch);
  if (theirs === undefined) return;
  const ref = `refs/heads/${branch}`;
  const known = await resolve(context, ref);
  if (known === undefined) {
    // The whole of it is taken over, so that what comes of it may be pushed, rebased or not.
    await setRef(context, pushedRef(branch), theirs);
    await setRef(context, ref, theirs);
  } else if (known !== theirs && (await isAncestor(context, known, theirs))) {
    await setRef(context, ref, theirs);
  }
}

/** Commits of theirs that ours lacks, for people and agents to read. */
export async function theirLog(
  context: GitContext,
  { theirs, ours }: { theirs: Commit; ours: Commit },
): Promise<string> {
  const args = ["log", "--no-decorate", "-n20", "--format=%h %an: %s", theirs, `^${ours}`, "--"];
  return (await context.inHub(args, { maxBytes: 8_000, overflow: "truncate" })).stdout;
}
