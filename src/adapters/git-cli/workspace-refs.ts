// What the repository inside a workspace points at, and bringing its commits into the hub. The
// workspace is an agent's: its repository may be changed, broken or gone, and that must not stop a save.
import { join } from "node:path";
import type { Commit } from "../../core/ids.ts";
import { commitId } from "../../core/ids.ts";
import type { GitContext } from "./context.ts";
import { FETCH_LOCAL, perContext } from "./context.ts";
import { readUntrusted } from "../shared/untrusted-file.ts";
import { refsFingerprint } from "./fingerprint.ts";
import { irregularIn } from "./irregular.ts";

export type WorkspaceRefs = {
  head: Commit | undefined;
  branch: string | undefined;
  refs: Map<string, Commit>;
  /** Older entries of the stash. */
  kept: Commit[];
};

/** Entries of the stash that are kept apart; older ones are in earlier checkpoints. */
const KEPT_MAX = 20;
const HEAD_MAX_BYTES = 4096;
const STASH_MAX_BYTES = 16 * 1024 * 1024;

/** Refs by workspace, with the fingerprint of the files that said so. */
const refsOf = perContext(() => new Map<string, { print: string; refs: WorkspaceRefs }>());

/** Undefined where the folder has no readable repository. */
export async function readRefs(
  context: GitContext,
  workspace: string,
): Promise<WorkspaceRefs | undefined> {
  // Taken before git is asked: what changes meanwhile is found by the next look.
  const print = await refsFingerprint(join(workspace, ".git"));
  const known = refsOf(context).get(workspace);
  if (known?.print !== print && (await irregularIn(join(workspace, ".git"))) !== undefined) {
    return undefined;
  }
  if (print !== undefined && known?.print === print) return known.refs;
  const refs = await askRefs(context, workspace);
  if (print !== undefined && refs !== undefined) refsOf(context).set(workspace, { print, refs });
  return refs;
}

async function askRefs(context: GitContext, workspace: string): Promise<WorkspaceRefs | undefined> {
  const dir = join(workspace, ".git");
  const call = { dir, cwd: workspace, expect: [0, 1, 128] };
  const [listed, branch, kept] = await Promise.all([
    context.git({ args: ["show-ref", "--head"], ...call }),
    readBranch(context, workspace),
    readStash(dir),
  ]);
  if (listed.exitCode === 128) return undefined;
  const all = listed.stdout.split("\n").filter(Boolean).map(parseRef);
  const wanted = all.filter(([name]) => name.startsWith("refs/heads/") || name === "refs/stash");
  return {
    head: all.find(([name]) => name === "HEAD")?.[1],
    branch,
    refs: new Map(wanted),
    kept,
  };
}

const parseRef = (line: string): [name: string, commit: Commit] => {
  const space = line.indexOf(" ");
  return [line.slice(space + 1), commitId(line.slice(0, space))];
};

/** The branch checked out: read from the file where there is one, by git in a linked worktree. */
async function readBranch(context: GitContext, workspace: string): Promise<string | undefined> {
  const dir = join(workspace, ".git");
  const head = await readUntrusted(join(dir, "HEAD"), HEAD_MAX_BYTES);
  if (head !== undefined) return /^ref: (?<ref>\S+)/.exec(head)?.groups?.["ref"];
  const args = ["symbolic-ref", "--quiet", "HEAD"];
  const result = await context.git({ args, dir, cwd: workspace, expect: [0, 1, 128] });
  return result.exitCode === 0 ? result.stdout : undefined;
}

async function readStash(dir: string): Promise<Commit[]> {
  const log = (await readUntrusted(join(dir, "logs", "refs", "stash"), STASH_MAX_BYTES)) ?? "";
  const ids = log.split("\n").map((line) => line.split(" ")[1] ?? "");
  return ids
    .filter((id) => /^[0-9a-f]{40,64}$/.test(id))
    .slice(-KEPT_MAX)
    .map(commitId);
}

/** Copies commits by id; false where the workspace cannot give them. */
export async function copyCommits(
  context: GitContext,
  workspace: string,
  commits: Commit[],
): Promise<boolean> {
  if (commits.length === 0) return true;
  if ((await irregularIn(join(workspace, ".git"))) !== undefined) return false;
  const result = await context.inHub([...FETCH_LOCAL, "--end-of-options", workspace, ...commits], {
    expect: [0, 1, 128],
  });
  return result.exitCode === 0;
}
