// The difference between two commits of the hub, for a reader: commits, files, and the patch up to
// a limit. What was cut says so.
import type { Commit } from "../../core/ids.ts";
import type { Git } from "../../ports/git.ts";
import type { RunResult } from "../shared/run.ts";
import type { GitContext } from "./context.ts";
import { FETCH, NETWORK_TIMEOUT_MS } from "./context.ts";
import { mergeBase, resolve } from "./refs.ts";
import { upstreamUnreachable } from "./target.ts";

const LOG_COMMITS_MAX = 50;
const LOG_MAX_BYTES = 16 * 1024;
const FILES_MAX_BYTES = 256 * 1024;

export async function compare(
  context: GitContext,
  { from, to, maxBytes }: Parameters<Git["compare"]>[0],
): ReturnType<Git["compare"]> {
  const plain = ["--no-color", "--no-ext-diff", "--no-textconv"];
  const log = ["log", "--no-decorate", `-n${LOG_COMMITS_MAX}`, "--format=%h %s%n%w(0,4,4)%b"];
  // Without --no-renames a file that was moved away would not be among them.
  const names = ["diff", ...plain, "--no-renames", "--name-only", "-z", from, to, "--"];
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
    ...listed(files),
  };
}

/** A PR's head may be on no branch any more; forges give commits by their id all the same. */
export async function changesOf(
  context: GitContext,
  { head, maxBytes }: Parameters<Git["changesOf"]>[0],
): ReturnType<Git["changesOf"]> {
  if (!(await isThere(context, head))) return undefined;
  const target = await resolve(context, context.targetRef);
  const from = target && (await mergeBase(context, target, head));
  if (from === undefined) return undefined;
  const { log: _, ...changes } = await compare(context, { from, to: head, maxBytes });
  return changes;
}

/** The name at the cut may be half of one: it is left out. */
function listed({ stdout, truncated: cut }: RunResult): { files: string[]; cut?: true } {
  const names = stdout.split("\0").slice(0, -1);
  return { files: names, ...(cut ? { cut: true } : {}) };
}

async function isThere(context: GitContext, commit: Commit): Promise<boolean> {
  if ((await resolve(context, commit)) !== undefined) return true;
  const { upstream } = context;
  if (upstream.kind === "local") return false;
  const args = [...FETCH, "--end-of-options"];
  const result = await context.inHub([...args, upstream.url, commit], {
    reach: "upstream",
    timeoutMs: NETWORK_TIMEOUT_MS,
    expect: [0, 1, 128],
    what: `fetch ${commit} from upstream`,
  });
  if (result.exitCode === 0) return (await resolve(context, commit)) !== undefined;
  if (/not our ref|couldn't find remote ref|unadvertised object/.test(result.stderr)) return false;
  throw upstreamUnreachable(`fetch ${commit}`, result.stderr);
}

const truncated = (maxBytes: number) => ({ maxBytes, overflow: "truncate" as const });
