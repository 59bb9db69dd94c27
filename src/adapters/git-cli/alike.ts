// Whether the files of two commits are written in the same way: attributes say how, and submodules are
// no files, so both must be the same. Known without a git where the steps between the two were listed
// before, which is so for the candidates of a merge queue.
import type { Commit } from "../../core/ids.ts";
import { perContext, type GitContext } from "./context.ts";

/** Which commit another one was compared with, and whether nothing of this differed. */
type Step = { before: Commit; isAlike: boolean };

/** What differs between two commits never changes. */
const steps = perContext((): Map<Commit, Step> => new Map());
const STEPS_MAX = 10_000;
/** A longer way is left to git. */
const WAY_MAX = 500;

/** `paths`: all that differ. */
export function rememberStep(
  context: GitContext,
  { commit, before, paths }: { commit: Commit; before: Commit; paths: string[] },
): void {
  const all = steps(context);
  if (all.size >= STEPS_MAX) all.clear();
  const isAlike = !paths.some((path) => /\.git(?:attributes|modules)/.test(path));
  all.set(commit, { before, isAlike });
}

export async function isWrittenAlike(
  context: GitContext,
  from: Commit,
  to: Commit,
): Promise<boolean> {
  if (from === to || isKnownAlike(context, from, to)) return true;
  const paths = [":(glob)**/.gitattributes", ":(glob)**/.gitmodules"];
  const args = ["diff-tree", "-r", "-z", "--name-only", "--no-renames", from, to, "--", ...paths];
  return (await context.inHub(args)).bytes.length === 0;
}

/** Both are like a commit that the steps of both lead to. */
function isKnownAlike(context: GitContext, from: Commit, to: Commit): boolean {
  const below = alikeBelow(context, from);
  return [...alikeBelow(context, to)].some((commit) => below.has(commit));
}

/** The commit itself, and those below it that are like it. */
export function alikeBelow(context: GitContext, start: Commit): Set<Commit> {
  const found = new Set([start]);
  let step = steps(context).get(start);
  while (step?.isAlike === true && found.size < WAY_MAX && !found.has(step.before)) {
    found.add(step.before);
    step = steps(context).get(step.before);
  }
  return found;
}
