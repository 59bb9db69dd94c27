// What lies between two commits of the hub, for somebody who reads it: commits, files, and the patch
// up to a limit. What was cut is said, so that nobody takes a part for the whole.
import type { Git } from "../../ports/git.ts";
import type { GitContext } from "./context.ts";

const LOG_COMMITS_MAX = 50;
const LOG_MAX_BYTES = 16 * 1024;
const FILES_MAX_BYTES = 256 * 1024;

export async function compare(
  context: GitContext,
  { from, to, maxBytes }: Parameters<Git["compare"]>[0],
): ReturnType<Git["compare"]> {
  const plain = ["--no-color", "--no-ext-diff", "--no-textconv"];
  const log = ["log", "--no-decorate", `-n${LOG_COMMITS_MAX}`, "--format=%h %s%n%w(0,4,4)%b"];
  const names = ["diff", ...plain, "--name-only", "-z", from, to, "--"];
  const [commits, patch, files] = await Promise.all([
    context.inHub([...log, `${from}..${to}`, "--"], truncated(LOG_MAX_BYTES)),
    context.inHub(["diff", ...plain, from, to, "--"], truncated(maxBytes)),
    context.inHub(names, truncated(FILES_MAX_BYTES)),
  ]);
  return {
    log: commits.stdout.trimEnd(),
    diff: patch.truncated
      ? `${patch.stdout}\n… cut here: only the first ${maxBytes} bytes of the difference are shown.`
      : patch.stdout,
    files: files.stdout.split("\0").filter((name) => name !== ""),
  };
}

const truncated = (maxBytes: number) => ({ maxBytes, overflow: "truncate" as const });
