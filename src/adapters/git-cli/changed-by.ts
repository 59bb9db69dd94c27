// Which commits changed files that a branch conflicts in, for people who ask with whom.
import { commitId } from "../../core/ids.ts";
import type { Git } from "../../ports/git.ts";
import type { GitContext } from "./context.ts";

const SUBJECT_MAX = 100;
const FILES_MAX = 50;
const LOG_MAX_BYTES = 64 * 1024;

export async function changedBy(
  context: GitContext,
  { onto, head, files, limit }: Parameters<Git["changedBy"]>[0],
): ReturnType<Git["changedBy"]> {
  if (files.length === 0) return [];
  const args = ["--literal-pathspecs", "log", "--no-merges", `-n${limit}`, "--format=%H %s"];
  const range = [onto, `^${head}`, "--", ...files.slice(0, FILES_MAX)];
  const log = await context.inHub([...args, ...range], {
    maxBytes: LOG_MAX_BYTES,
    overflow: "truncate",
    what: "find who changed the files of a conflict",
  });
  return log.stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const [commit = "", ...words] = line.split(" ");
      return { commit: commitId(commit), subject: words.join(" ").slice(0, SUBJECT_MAX) };
    });
}
