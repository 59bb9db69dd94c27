// What the index of a workspace holds that its HEAD does not: content that may be nowhere else. The
// repository is the agent's; only git's plumbing reads it, and nothing in it is run.
import { join } from "node:path";
import type { Commit } from "../../core/ids.ts";
import type { Extra, StagedEntry } from "./checkpoint-extra.ts";
import type { GitContext } from "./context.ts";
import { perContext } from "./context.ts";
import { fingerprint } from "./fingerprint.ts";
import { irregularIn } from "./irregular.ts";
import { listedPaths, shownPath } from "./scan.ts";
import type { Place } from "./workspace-refs.ts";
import { copyObjects, kindsOf } from "./workspace-refs.ts";

export type Staged = Pick<Extra, "staged" | "unstaged"> & { skipped: string[] };

const NOTHING: Staged = { staged: [], unstaged: [], skipped: [] };

/** By workspace, with the fingerprint of the index and the HEAD that it was compared with. */
const stagedOf = perContext(() => new Map<string, { print: string; staged: Staged }>());

export async function readStaged(
  context: GitContext,
  { path, key }: Place,
  head: Commit | undefined,
): Promise<Staged> {
  const own = await fingerprint(join(path, ".git", "index"));
  if (own === undefined) return NOTHING;
  const print = `${own} ${head}`;
  const known = stagedOf(context).get(key);
  if (known?.print === print) return known.staged;
  const staged = await compare(context, path, head);
  if (staged.skipped.length === 0) stagedOf(context).set(key, { print, staged });
  return staged;
}

async function compare(
  context: GitContext,
  workspace: string,
  head: Commit | undefined,
): Promise<Staged> {
  const dir = join(workspace, ".git");
  if ((await irregularIn(dir)) !== undefined) return { ...NOTHING, skipped: [".git/index"] };
  const call = { dir, cwd: workspace, expect: [0, 128] };
  const args =
    head === undefined
      ? ["ls-files", "-z", "--stage"]
      : ["diff-index", "-z", "--cached", "--raw", "--no-renames", head];
  const listed = await context.git({ args, ...call });
  // An index that our git cannot read, as after a write that was cut short.
  if (listed.exitCode !== 0) return { ...NOTHING, skipped: [".git/index"] };
  const fields = listedPaths(listed.bytes);
  const changed = head === undefined ? fields.map(parseStage) : parseRaw(fields);
  const isUnmerged = changed.some((entry) => entry.status === "U");
  const unmerged = isUnmerged
    ? await context.git({ args: ["ls-files", "-z", "--unmerged"], ...call })
    : undefined;
  const conflicts = unmerged === undefined ? [] : listedPaths(unmerged.bytes).map(parseStage);
  const staged = [...changed.filter((entry) => entry.status === undefined), ...conflicts];
  const unstaged = changed.filter(({ status }) => status === "D").map((entry) => entry.path);
  return bring(context, workspace, { staged: staged.map(plain), unstaged });
}

type Changed = StagedEntry & { status: "D" | "U" | undefined };

const plain = ({ mode, id, stage, path }: StagedEntry): StagedEntry => ({ mode, id, stage, path });

/** `mode id stage\tpath` */
function parseStage(line: string): Changed {
  const tab = line.indexOf("\t");
  const [mode = "", id = "", stage = "0"] = line.slice(0, tab).split(" ");
  return { mode, id, stage: Number(stage), path: line.slice(tab + 1), status: undefined };
}

/** `:mode mode id id status` and the path, in turns. */
function parseRaw(fields: string[]): Changed[] {
  const found: Changed[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [, mode = "", , id = "", letter = ""] = (fields[at] ?? "").split(" ");
    const status = letter === "D" || letter === "U" ? letter : undefined;
    found.push({ mode, id, stage: 0, path: fields[at + 1] ?? "", status });
  }
  return found;
}

/** Most staged content is in the hub already: it is that of a file. */
async function bring(
  context: GitContext,
  workspace: string,
  { staged, unstaged }: Pick<Extra, "staged" | "unstaged">,
): Promise<Staged> {
  const files = staged.filter(({ mode }) => mode !== "160000");
  const ids = [...new Set(files.map(({ id }) => id))];
  const there = await kindsOf(context, ids);
  const missing = await copyObjects(
    context,
    workspace,
    ids.filter((id) => !there.has(id)),
  );
  const lost = files.filter(({ id }) => missing.has(id)).map(({ path }) => shownPath(path));
  return {
    staged: staged.filter(({ id }) => !missing.has(id)),
    unstaged,
    skipped: [...new Set(lost)].map((path) => `.git/index: ${path}`),
  };
}
