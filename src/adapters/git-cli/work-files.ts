// Which files the work in a workspace consists of: what its own commits change, and what is changed
// there and not committed. For the hook of the agent; how the work was done (an editor, a script, a
// merge) does not matter.
import type { Tree } from "../../core/ids.ts";
import { OperationError } from "../../lib/operation-error.ts";
import type { CheckpointNote } from "./checkpoint-note.ts";
import type { GitContext } from "./context.ts";
import { resolve } from "./refs.ts";
import { listedPaths, shownPath } from "./scan.ts";
import { touchedBy } from "./touched-paths.ts";

/** As many as a hook keeps. */
const FILES_MAX = 100;

/** A checkpoint counts without this list: where git cannot make it, it is empty. */
export async function workFiles(
  context: GitContext,
  { head, tree }: Pick<CheckpointNote, "head" | "tree">,
): Promise<string[]> {
  if (head === undefined) return [];
  try {
    const target = await resolve(context, context.targetRef);
    const [touched, open] = await Promise.all([
      target === undefined ? undefined : touchedBy(context, target, [head]),
      uncommitted(context, `${head}^{tree}`, tree),
    ]);
    const own = [...(touched?.get(head)?.paths ?? [])].toSorted();
    return [...new Set([...own, ...open])].slice(-FILES_MAX);
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    return [];
  }
}

async function uncommitted(context: GitContext, before: string, now: Tree): Promise<string[]> {
  const args = ["diff-tree", "-r", "-z", "--name-only", "--no-renames", before, now];
  const { bytes } = await context.inHub(args, { what: "list the files that are not committed" });
  return listedPaths(bytes).map(shownPath);
}
