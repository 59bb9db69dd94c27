// Reads a chain of checkpoints: the first parents of its newest one, down to where it began. What
// lies below is the agent's own history and no part of it.
import type { Commit } from "../../core/ids.ts";
import type { CheckpointEntry } from "../../ports/checkpoints.ts";
import { checkpointRef } from "./checkpoint.ts";
import type { NotePlace } from "./checkpoint-note.ts";
import { parsePlace, readNote, reasonOf } from "./checkpoint-note.ts";
import type { CommitFacts } from "./commits.ts";
import { readCommits } from "./commits.ts";
import type { GitContext } from "./context.ts";
import { resolve } from "./refs.ts";

export const LANDED_REFS = "refs/pawl/landed/";

export type ChainLink = CommitFacts & NotePlace & { reason: string };

/** Newest first. */
export async function readChain(
  context: GitContext,
  tip: Commit,
  limit: number,
): Promise<ChainLink[]> {
  // A chain is never longer than its newest number, which keeps the agent's history out.
  const { number } = await readNote(context, tip);
  const most = Math.max(1, Math.min(limit, number));
  const commits = await readCommits(context, ["--first-parent", `-n${most}`, tip]);
  const links: ChainLink[] = [];
  for (const commit of commits.toReversed()) {
    const reason = reasonOf(commit.message);
    if (reason === undefined) break;
    const place = parsePlace(commit.message);
    links.push({ ...commit, ...place, reason });
    if (place.after === undefined) break;
  }
  return links;
}

/** The newest checkpoint of an identity, also of one whose work has landed. */
export async function tipOf(context: GitContext, identity: string): Promise<Commit | undefined> {
  const live = await resolve(context, checkpointRef(identity));
  if (live !== undefined) return live;
  const args = ["for-each-ref", "--format=%(refname)", "--sort=-refname", "--count=1"];
  const newest = await context.inHub([...args, `${LANDED_REFS}${identity}/`]);
  return newest.stdout === "" ? undefined : resolve(context, newest.stdout);
}

export async function listCheckpoints(
  context: GitContext,
  request: { identity: string; limit: number; base?: Commit },
): Promise<CheckpointEntry[]> {
  const tip = await tipOf(context, request.identity);
  if (tip === undefined) return [];
  const links = await readChain(context, tip, request.limit);
  const counts = await changedPaths(context, tip, links.length);
  const first = links.find(({ number }) => number === 1);
  if (first !== undefined && request.base !== undefined) {
    const since = await pathsSince(context, { from: request.base, to: first.commit });
    if (since !== undefined) counts.set(first.commit, since);
  }
  return links.map(({ number, commit, committedAtS, reason, skipped }) => ({
    number,
    commit,
    at: committedAtS * 1000,
    reason,
    files: counts.get(commit) ?? 0,
    skipped: skipped.length,
  }));
}

/** How many paths each differs in from its first parent. Trees only: no content is read. */
async function changedPaths(
  context: GitContext,
  tip: Commit,
  count: number,
): Promise<Map<string, number>> {
  const args = ["log", "--first-parent", "-m", "--root", "--name-only", "--no-renames"];
  const result = await context.inHub([...args, `-n${count}`, "--format=%x1e%H", tip, "--"]);
  const parts = result.stdout.split("\u001E").slice(1);
  return new Map(
    parts.map((part) => {
      const [commit = "", ...paths] = part.split("\n").filter(Boolean);
      return [commit, paths.length];
    }),
  );
}

/** Undefined where the hub no longer has the commit `from`. */
async function pathsSince(
  context: GitContext,
  { from, to }: { from: Commit; to: Commit },
): Promise<number | undefined> {
  if ((await resolve(context, from)) === undefined) return undefined;
  const args = ["diff-tree", "-r", "--name-only", "--no-renames", from, to];
  return (await context.inHub(args)).stdout.split("\n").filter(Boolean).length;
}
