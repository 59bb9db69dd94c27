// What the repository inside a workspace points at, and bringing its objects into the hub. The
// workspace is an agent's: its repository may be changed, broken or gone, and that must not stop a save.
import { lstat } from "node:fs/promises";
import { join } from "node:path";
import type { Commit } from "../../core/ids.ts";
import { commitId } from "../../core/ids.ts";
import { ifThere } from "../../lib/if-there.ts";
import { byteString } from "../shared/folder.ts";
import { nameOf } from "./checkpoint-note.ts";
import type { GitContext } from "./context.ts";
import { FETCH_LOCAL, perContext } from "./context.ts";
import { readUntrusted } from "../shared/untrusted-file.ts";
import { refsFingerprint } from "./fingerprint.ts";
import { irregularIn } from "./irregular.ts";

/** A folder with a repository: the path that git is given, and a name that stays while it moves. */
export type Place = { path: string; key: string };

export type WorkspaceRefs = {
  head: Commit | undefined;
  branch: string | undefined;
  /** All but those of remotes, by name (`nameOf`). What they name need not be a commit. */
  refs: Map<string, Commit>;
  /** Entries of the stash, oldest first. */
  kept: Commit[];
};

const HEAD_MAX_BYTES = 4096;
const STASH_MAX_BYTES = 16 * 1024 * 1024;

/** Refs by workspace, with the fingerprint of the files that said so. */
const refsOf = perContext(() => new Map<string, { print: string; refs: WorkspaceRefs }>());

/** Undefined where the folder has no readable repository of its own; a link to one is none. */
export async function readRefs(
  context: GitContext,
  { path, key }: Place,
): Promise<WorkspaceRefs | undefined> {
  const dir = join(path, ".git");
  if ((await ifThere(lstat(dir)))?.isSymbolicLink() === true) return undefined;
  // Taken before git is asked: what changes meanwhile is found by the next look.
  const print = await refsFingerprint(dir);
  const known = refsOf(context).get(key);
  if (known?.print !== print && (await irregularIn(dir)) !== undefined) return undefined;
  if (print !== undefined && known?.print === print) return known.refs;
  const refs = await askRefs(context, path);
  if (print !== undefined && refs !== undefined) refsOf(context).set(key, { print, refs });
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
  const all = listed.bytes.toString("latin1").split("\n").filter(Boolean).map(parseRef);
  const wanted = all.filter(([name]) => name.startsWith("refs/") && !name.startsWith(REMOTES));
  return {
    head: all.find(([name]) => name === "HEAD")?.[1],
    branch,
    refs: new Map(wanted),
    kept,
  };
}

/** Copies of what is elsewhere. */
const REMOTES = "refs/remotes/";

const parseRef = (line: string): [name: string, commit: Commit] => {
  const space = line.indexOf(" ");
  return [nameOf(line.slice(space + 1)), commitId(line.slice(0, space))];
};

/** The branch checked out: read from the file where there is one, by git in a linked worktree. */
async function readBranch(context: GitContext, workspace: string): Promise<string | undefined> {
  const dir = join(workspace, ".git");
  const head = await readUntrusted(join(dir, "HEAD"), HEAD_MAX_BYTES);
  if (head !== undefined) {
    const ref = /^ref: (?<ref>\S+)/.exec(head)?.groups?.["ref"];
    return ref === undefined ? undefined : nameOf(byteString(ref));
  }
  const args = ["symbolic-ref", "--quiet", "HEAD"];
  const result = await context.git({ args, dir, cwd: workspace, expect: [0, 1, 128] });
  return result.exitCode === 0 ? result.stdout : undefined;
}

async function readStash(dir: string): Promise<Commit[]> {
  const log = (await readUntrusted(join(dir, "logs", "refs", "stash"), STASH_MAX_BYTES)) ?? "";
  const ids = log.split("\n").map((line) => line.split(" ")[1] ?? "");
  return ids.filter((id) => /^[0-9a-f]{40,64}$/.test(id)).map(commitId);
}

/**
 * Copies objects by id from a workspace into the hub, with all that they need. Answers those that
 * the workspace cannot give: one that is broken does not keep the others out.
 */
export async function copyObjects(
  context: GitContext,
  workspace: string,
  ids: string[],
): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  if ((await irregularIn(join(workspace, ".git"))) !== undefined) return new Set(ids);
  if (await fetchAll(context, workspace, ids)) return new Set();
  if (ids.length === 1) return new Set(ids);
  const half = Math.ceil(ids.length / 2);
  const first = await copyObjects(context, workspace, ids.slice(0, half));
  const second = await copyObjects(context, workspace, ids.slice(half));
  return new Set([...first, ...second]);
}

async function fetchAll(context: GitContext, workspace: string, ids: string[]): Promise<boolean> {
  const args = [...FETCH_LOCAL, "--stdin", "--end-of-options", workspace];
  const stdin = ids.map((id) => `${id}\n`).join("");
  return (await context.inHub(args, { stdin, expect: [0, 1, 128] })).exitCode === 0;
}

/** The kind of each object that the hub has. */
export async function kindsOf(context: GitContext, ids: string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const args = ["cat-file", "--batch-check=%(objectname) %(objecttype)"];
  const result = await context.inHub(args, { stdin: ids.map((id) => `${id}\n`).join("") });
  const answers = result.stdout.split("\n").map((line) => line.split(" "));
  return new Map(
    ids.flatMap((id, index) => {
      const [found, kind = "missing"] = answers[index] ?? [];
      return found === undefined || kind === "missing" ? [] : [[id, kind] as const];
    }),
  );
}
