// What a sparse checkout leaves out, when it is saved: it belongs to the tree of a workspace as its own
// index has it, because it is neither deleted nor changed.
import { createHash } from "node:crypto";
import { join } from "node:path";
import type { GitContext } from "./context.ts";
import { perContext } from "./context.ts";
import { fingerprint } from "./fingerprint.ts";
import type { Entries } from "./sparse.ts";
import { entriesOf } from "./sparse.ts";
import type { Place } from "./workspace-refs.ts";
import { copyObjects, kindsOf } from "./workspace-refs.ts";

type Call = { cwd: string; env: Record<string, string>; settings: [string, string][] };

/** Of each folder: its own index when it was last taken over, and what it left out then. */
const takenFrom = perContext(() => new Map<string, { print: string; digest: string }>());

/** A submodule is saved as a repository of its own, or not at all. */
const isFile = (entry: string): boolean => !entry.startsWith("160000 ");

/**
 * Brings what the workspace's own index leaves out into the private one, which has just been brought
 * up to date with the files. `again`: also where that index is the one that was last seen.
 */
export async function takeLeftOut(
  context: GitContext,
  { place, call, again }: { place: Place; call: Call; again: boolean },
): Promise<void> {
  const known = takenFrom(context).get(place.key);
  const print = await fingerprint(join(place.path, ".git", "index"));
  if (print === undefined || (known?.print === print && !again)) return;
  const own = await leftOutIn(context, place, call);
  if (own === undefined) return;
  const digest = createHash("sha256")
    .update(JSON.stringify([...own]))
    .digest("hex");
  if (known?.digest !== digest || again) await takeOver(context, { place, call, own });
  takenFrom(context).set(place.key, { print, digest });
}

/** As the workspace's own index has it, whether or not a file is in its place. */
export async function leftOutIn(
  context: GitContext,
  { path }: Place,
  { env }: Pick<Call, "env">,
): Promise<Entries | undefined> {
  const own = { GIT_INDEX_FILE: join(path, ".git", "index") };
  // An index that is sparse itself names trees, which may be the workspace's own.
  const objects = { GIT_ALTERNATE_OBJECT_DIRECTORIES: join(path, ".git", "objects") };
  const found = await entriesOf(context, { cwd: path, env: { ...env, ...own, ...objects } });
  return found?.leftOut;
}

async function takeOver(
  context: GitContext,
  { place, call, own }: { place: Place; call: Call; own: Entries },
): Promise<void> {
  const mine = await entriesOf(context, call);
  if (mine === undefined) return;
  const fresh = [...own].filter(
    ([path, entry]) => isFile(entry) && !mine.there.has(path) && mine.leftOut.get(path) !== entry,
  );
  const gone = [...mine.leftOut.keys()].filter((path) => !own.has(path));
  const ids = [...new Set(fresh.map(([, entry]) => entry.split(" ")[1] ?? ""))];
  const there = await kindsOf(context, ids);
  const lost = await copyObjects(
    context,
    place.path,
    ids.filter((id) => !there.has(id)),
  );
  const entries = fresh.filter(([, entry]) => !lost.has(entry.split(" ")[1] ?? ""));
  await edit(context, call, {
    lines: entries.map(([path, entry]) => `${entry}\t${path}`),
    args: ["--index-info"],
  });
  const paths = entries.map(([path]) => path);
  await edit(context, call, { lines: paths, args: ["--skip-worktree", "--stdin"] });
  await edit(context, call, { lines: gone, args: ["--force-remove", "--stdin"] });
}

async function edit(
  context: GitContext,
  call: Call,
  { lines, args }: { lines: string[]; args: string[] },
): Promise<void> {
  if (lines.length === 0) return;
  const stdin = Buffer.from(lines.map((line) => `${line}\0`).join(""), "latin1");
  await context.git({ args: ["update-index", "-z", ...args], ...call, stdin });
}
