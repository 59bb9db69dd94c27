// The last look before a workspace goes: every file in it must be in the checkpoint, be ignored by
// git, or hold nothing. It walks the folder itself, so that what git left out without a word is found.
import { Folder } from "../shared/folder.ts";
import { readExtra } from "./checkpoint-extra.ts";
import type { CheckpointNote } from "./checkpoint-note.ts";
import { readNote } from "./checkpoint-note.ts";
import type { GitContext } from "./context.ts";
import { rawEnvironment } from "./hub.ts";
import { listedPaths, shownPath } from "./scan.ts";
import { excludeRules, indexOf } from "./snapshot.ts";
import type { Place } from "./workspace-refs.ts";

/** As many as are worth showing. */
const FOUND_MAX = 1_000;

/** Paths that the checkpoint does not hold. */
export async function findUnsaved(
  context: GitContext,
  place: Place,
  note: CheckpointNote,
): Promise<string[]> {
  const [known, ignored] = await Promise.all([
    savedPaths(context, note),
    ignoredPaths(context, place),
  ]);
  const found: string[] = [];
  await using root = await Folder.open(Buffer.from(`${place.path}/.`));
  const waiting = [""];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    await using folder = await root.enter(next);
    if (folder === undefined || found.length > FOUND_MAX) continue;
    for (const name of await folder.names()) {
      const path = next === "" ? name : `${next}/${name}`;
      if (path === ".git" || ignored.has(path)) continue;
      const stats = await folder.stat(name);
      const inner = note.nested.get(path);
      const isFolder = stats?.isDirectory() === true;
      const isFile = stats?.isFile() === true || stats?.isSymbolicLink() === true;
      if (isFolder && inner === undefined) waiting.push(path);
      if (isFile && !known.has(path)) found.push(shownPath(path));
      if (!isFolder || inner === undefined) continue;
      found.push(...(await insideOf(context, { place, folder, name, path }, inner)));
    }
  }
  return found;
}

async function insideOf(
  context: GitContext,
  at: { place: Place; folder: Folder; name: string; path: string },
  commit: Parameters<typeof readNote>[1],
): Promise<string[]> {
  await using inside = await at.folder.enter(at.name);
  if (inside === undefined) return [];
  const place = { path: inside.path, key: `${at.place.key}/${at.path}` };
  const found = await findUnsaved(context, place, await readNote(context, commit));
  return found.map((one) => `${shownPath(at.path)}/${one}`);
}

async function savedPaths(context: GitContext, note: CheckpointNote): Promise<Set<string>> {
  const listed = await context.inHub(["ls-tree", "-r", "-z", "--name-only", note.tree]);
  const extra = note.extra === undefined ? undefined : await readExtra(context, note.extra);
  return new Set([...listedPaths(listed.bytes), ...(extra?.odd ?? []).map(({ path }) => path)]);
}

/** Files and whole folders, without a final slash. */
async function ignoredPaths(context: GitContext, { path, key }: Place): Promise<Set<string>> {
  const rules = await excludeRules(path);
  const args = ["ls-files", "-z", "--others", "--ignored", "--directory", ...rules];
  const index = indexOf(context, key);
  const env = { ...rawEnvironment(context), GIT_WORK_TREE: path, GIT_INDEX_FILE: index };
  const result = await context.git({ args, cwd: path, env });
  return new Set(listedPaths(result.bytes).map((one) => one.replace(/\/$/, "")));
}
