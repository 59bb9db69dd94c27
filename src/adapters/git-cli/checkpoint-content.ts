// What a checkpoint holds, for people: the paths that differ, and the difference itself.
import type { Commit } from "../../core/ids.ts";
import type { CheckpointContent, Checkpoints } from "../../ports/checkpoints.ts";
import { parsePlace, readNote } from "./checkpoint-note.ts";
import { readCommit } from "./commits.ts";
import type { GitContext } from "./context.ts";
import { shownPath } from "./scan.ts";

const CHANGES_MAX = 1_000;
const STAT_MAX_BYTES = 64 * 1024;
const DIFF_MAX_BYTES = 4 * 1024 * 1024;

export async function checkpointContent(
  context: GitContext,
  commit: Commit,
): Promise<CheckpointContent> {
  const note = await readNote(context, commit);
  const from = note.head ?? (await emptyTree(context));
  return {
    head: note.head,
    branch: note.branch?.replace(/^refs\/heads\//, ""),
    changes: await changes(context, { from, to: note.tree }),
    skipped: note.skipped,
    partial: note.partial,
    nested: [...note.nested].map(([path, at]) => ({ path: shownPath(path), commit: at })),
  };
}

async function changes(
  context: GitContext,
  range: { from: string; to: string },
): Promise<CheckpointContent["changes"]> {
  const args = ["diff-tree", "-r", "-z", "--name-status", "--no-renames", range.from, range.to];
  const fields = (await context.inHub(args)).bytes.toString("latin1").split("\0");
  const found: CheckpointContent["changes"] = [];
  for (let at = 0; at + 1 < fields.length && found.length < CHANGES_MAX; at += 2) {
    const status = fields[at] === "A" || fields[at] === "D" ? fields[at] : "M";
    found.push({ status: status as "A" | "M" | "D", path: shownPath(fields[at + 1] ?? "") });
  }
  return found;
}

export async function checkpointDiff(
  context: GitContext,
  request: Parameters<Checkpoints["diff"]>[0],
): ReturnType<Checkpoints["diff"]> {
  const from = request.from ?? (await beforeOf(context, request.commit));
  const args = ["diff", "--no-color", "--no-ext-diff", "--no-textconv"];
  const [stat, diff] = await Promise.all([
    cut(context, [...args, "--stat=100", from, request.commit], STAT_MAX_BYTES),
    cut(context, [...args, from, request.commit], DIFF_MAX_BYTES),
  ]);
  return { stat, diff };
}

/** The checkpoint before; at the beginning of a chain, the commit the work began on. */
async function beforeOf(context: GitContext, commit: Commit): Promise<string> {
  const facts = await readCommit(context, commit);
  if (parsePlace(facts.message).after !== undefined) return facts.parents[0] ?? commit;
  return (await readNote(context, commit)).head ?? (await emptyTree(context));
}

/** Its id depends on the format of the repository's ids. */
const emptyTree = async (context: GitContext): Promise<string> =>
  (await context.inHub(["hash-object", "-t", "tree", "-w", "--stdin"], { stdin: "" })).stdout;

async function cut(context: GitContext, args: string[], maxBytes: number): Promise<string> {
  const result = await context.inHub([...args, "--"], { maxBytes, overflow: "truncate" });
  return result.truncated ? `${result.stdout}\n… cut at ${maxBytes} bytes` : result.stdout;
}
