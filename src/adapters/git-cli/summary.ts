// What a successor is told about the work so far: log, stat and patch since the base, with what is
// not committed. Each is cut where it gets long; nothing in the workspace is touched.
import { join } from "node:path";
import type { Commit } from "../../core/ids.ts";
import { noteOf } from "./checkpoint.ts";
import type { GitContext } from "./context.ts";
import { irregularIn } from "./irregular.ts";
import { indexOf, snapshot } from "./snapshot.ts";
import { readRefs } from "./workspace-refs.ts";

const LOG_COMMITS_MAX = 50;
const STAT_MAX_BYTES = 16 * 1024;
const DIFF_MAX_BYTES = 64 * 1024;

type Request = { workspace: string; base: Commit; checkpoint?: Commit; diffMaxBytes?: number };

export async function summary(
  context: GitContext,
  request: Request,
): Promise<{ log: string; stat: string; diff: string; cut?: true }> {
  const { workspace, base } = request;
  const { tree, head = base } = await stateOf(context, request);
  // The agent's own commits may not be in the hub yet.
  const objects = join(workspace, ".git", "objects");
  const isUsable = (await irregularIn(objects)) === undefined;
  const env: Record<string, string> = isUsable ? { GIT_ALTERNATE_OBJECT_DIRECTORIES: objects } : {};
  const log = [
    "log",
    "--no-decorate",
    `-n${LOG_COMMITS_MAX}`,
    "--format=%h %s (%an, %ad)",
    "--date=iso",
  ];
  const diff = ["diff", "--no-color", "--no-ext-diff", "--no-textconv", "--ignore-cr-at-eol"];
  const [commits, both] = await Promise.all([
    cut(context, [...log, `${base}..${head}`], { env, maxBytes: STAT_MAX_BYTES }),
    cut(context, [...diff, "--patch-with-stat", "--stat=100", base, tree], {
      env,
      maxBytes: request.diffMaxBytes ?? DIFF_MAX_BYTES,
    }),
  ]);
  return { log: commits.text, ...parted(both.text), ...(both.isCut ? { cut: true } : {}) };
}

type State = { tree: string; head: Commit | undefined };

/** What a checkpoint has just read need not be read again. */
async function stateOf(context: GitContext, request: Request): Promise<State> {
  const { workspace, checkpoint } = request;
  const note = checkpoint === undefined ? undefined : await noteOf(context, checkpoint);
  if (note !== undefined) return note;
  const place = { path: workspace, key: workspace };
  const [taken, refs] = await Promise.all([
    context.serial(indexOf(context, workspace), () => snapshot(context, place)),
    readRefs(context, place),
  ]);
  return { tree: taken.tree, head: refs?.head };
}

/** One git says both: the list of files, an empty line, the difference. */
export function parted(text: string): { stat: string; diff: string } {
  const at = text.search(/^diff --git /m);
  if (at === -1) return { stat: text.trimEnd(), diff: "" };
  return { stat: text.slice(0, at).trimEnd(), diff: text.slice(at) };
}

async function cut(
  context: GitContext,
  args: string[],
  how: { env: Record<string, string>; maxBytes: number },
): Promise<{ text: string; isCut: boolean }> {
  const result = await context.inHub([...args, "--"], { ...how, overflow: "truncate" });
  const { stdout, truncated: isCut } = result;
  return { text: isCut ? `${stdout}\n… cut at ${how.maxBytes} bytes` : stdout, isCut };
}
