// What a successor is told about the work so far: log, stat and patch since the base, with what is
// not committed. Each is cut where it gets long; nothing in the workspace is touched.
import { join } from "node:path";
import type { Commit } from "../../core/ids.ts";
import type { GitContext } from "./context.ts";
import { indexOf, snapshot } from "./snapshot.ts";
import { readRefs } from "./workspace-refs.ts";

const LOG_COMMITS_MAX = 50;
const STAT_MAX_BYTES = 16 * 1024;
const DIFF_MAX_BYTES = 64 * 1024;

export async function summary(
  context: GitContext,
  request: { workspace: string; base: Commit },
): Promise<{ log: string; stat: string; diff: string }> {
  const { workspace, base } = request;
  const [taken, refs] = await Promise.all([
    context.serial(indexOf(context, workspace), () => snapshot(context, workspace)),
    readRefs(context, workspace),
  ]);
  // The agent's own commits may not be in the hub yet.
  const env = { GIT_ALTERNATE_OBJECT_DIRECTORIES: join(workspace, ".git", "objects") };
  const head = refs?.head ?? base;
  const log = [
    "log",
    "--no-decorate",
    `-n${LOG_COMMITS_MAX}`,
    "--format=%h %an %ad%n  %s",
    "--date=iso",
  ];
  const diff = ["diff", "--no-color", "--no-ext-diff", "--no-textconv", "--ignore-cr-at-eol"];
  const [commits, stat, patch] = await Promise.all([
    cut(context, [...log, `${base}..${head}`], { env, maxBytes: STAT_MAX_BYTES }),
    cut(context, [...diff, "--stat=100", base, taken.tree], { env, maxBytes: STAT_MAX_BYTES }),
    cut(context, [...diff, base, taken.tree], { env, maxBytes: DIFF_MAX_BYTES }),
  ]);
  return { log: commits, stat, diff: patch };
}

async function cut(
  context: GitContext,
  args: string[],
  how: { env: Record<string, string>; maxBytes: number },
): Promise<string> {
  const result = await context.inHub([...args, "--"], { ...how, overflow: "truncate" });
  return result.truncated ? `${result.stdout}\n… cut at ${how.maxBytes} bytes` : result.stdout;
}
