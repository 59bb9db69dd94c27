// Building the commit that a landing would make, in memory, kept on refs/pawl/queue/{ref}.
// The same request gives the same commit, so that a repeat after a crash changes nothing.
import type { Commit } from "../../core/ids.ts";
import type { CandidateOutcome, CandidateRequest } from "../../ports/git.ts";
import { committerOf } from "./authors.ts";
import { changedPaths } from "./changed-paths.ts";
import type { CommitFacts } from "./commits.ts";
import { writeCommit } from "./commits.ts";
import type { GitContext } from "./context.ts";
import { deleteRef, setRef } from "./refs.ts";
import { ownOfAll } from "./own-commits.ts";
import type { Step, Tip, Work } from "./replay.ts";
import { mergeSince, replay, resolvedIn, saidOf, tipOf } from "./replay.ts";
import { mergeOrResolve } from "./resolve.ts";

type Head = CandidateRequest["heads"][number];
const STEPS = { rebase: replay, merge: mergeOnto, squash: squashOnto };

export async function buildCandidate(
  context: GitContext,
  request: CandidateRequest,
): Promise<CandidateOutcome> {
  const heads = request.heads.map(({ head }) => head);
  const [start, owns] = await Promise.all([
    tipOf(context, request.onto),
    ownOfAll(context, request.onto, heads),
  ]);
  const { resolve } = request;
  let tip = start;
  const tips: Commit[] = [];
  const resolved: { index: number; files: string[] }[] = [];
  for (const [index, head] of request.heads.entries()) {
    const own = owns[index] ?? { commits: [], cut: false };
    const step = await STEPS[request.strategy](context, tip, {
      ...withMessage(head),
      own,
      resolve,
    });
    if (step.kind === "conflict") return { ...step, index, tips };
    if (step.resolved !== undefined) resolved.push({ index, files: step.resolved });
    // With every strategy: commits that together change nothing are not landed.
    if (step.tip.tree !== tip.tree) tip = step.tip;
    tips.push(tip.commit);
  }
  await context.crash("git.candidate.built");
  await Promise.all([
    setRef(context, queueRef(request.ref), tip.commit),
    // Asked for next, and remembered; the asker hears of a failure.
    changedPaths(context, [request.onto, ...tips]).catch(() => undefined),
  ]);
  await context.crash("git.candidate.kept");
  return { kind: "built", commit: tip.commit, tree: tip.tree, tips, resolved };
}

export async function releaseCandidate(context: GitContext, ref: string): Promise<void> {
  await deleteRef(context, queueRef(ref), undefined);
}

const queueRef = (ref: string): string => `refs/pawl/queue/${ref}`;

const withMessage = (head: Head): Head =>
  head.message.trim() === "" ? { ...head, message: `Merge branch '${head.branch}'` } : head;

async function mergeOnto(context: GitContext, tip: Tip, request: Work): Promise<Step> {
  const head = request.own.commits.at(-1);
  if (head === undefined) return { kind: "clean", tip };
  const { resolve } = request;
  const ours = tip.commit;
  const merged = await mergeOrResolve(context, { ours, theirs: request.head, resolve });
  if (merged.kind === "conflict") return merged;
  if (merged.tree === tip.tree) return { kind: "clean", tip };
  const committedAtS = Math.max(tip.committedAtS, head.committedAtS);
  const commit = await writeCommit(context, {
    tree: merged.tree,
    parents: [tip.commit, request.head],
    message: ended(saidOf(request.message, merged, resolve)),
    author: committerOf(context),
    authorDate: `${committedAtS} +0000`,
    committedAtS,
  });
  return { kind: "clean", tip: { commit, tree: merged.tree, committedAtS }, ...resolvedIn(merged) };
}

async function squashOnto(context: GitContext, tip: Tip, request: Work): Promise<Step> {
  const { commits: all } = request.own;
  const commits = all.filter((commit) => commit.parents.length < 2);
  const last = commits.at(-1) ?? all.at(-1);
  const [first] = all;
  if (first === undefined || last === undefined) return { kind: "clean", tip };
  const { head, resolve } = request;
  // What it stands on came as another commit: only what is its own is merged.
  const merged = request.own.cut
    ? await mergeSince(context, tip, { first, head, resolve })
    : await mergeOrResolve(context, { ours: tip.commit, theirs: head, resolve });
  if (merged.kind === "conflict") return merged;
  if (merged.tree === tip.tree) return { kind: "clean", tip };
  const committedAtS = Math.max(tip.committedAtS, last.committedAtS);
  const commit = await writeCommit(context, {
    tree: merged.tree,
    parents: [tip.commit],
    message: ended(saidOf(withCoAuthors(request.message, last, commits), merged, resolve)),
    author: last.author,
    authorDate: last.authorDate,
    committedAtS,
  });
  return { kind: "clean", tip: { commit, tree: merged.tree, committedAtS }, ...resolvedIn(merged) };
}

export function withCoAuthors(
  message: string,
  last: Pick<CommitFacts, "author">,
  commits: Pick<CommitFacts, "author">[],
): string {
  const others = commits
    .map((commit) => commit.author)
    .filter((author) => author.email !== last.author.email)
    .map(({ name, email }) => `Co-authored-by: ${name} <${email}>`);
  const missing = [...new Set(others)].filter((line) => !message.includes(line));
  return missing.length === 0 ? ended(message) : `${message.trimEnd()}\n\n${missing.join("\n")}\n`;
}

const ended = (message: string): string => `${message.trimEnd()}\n`;
