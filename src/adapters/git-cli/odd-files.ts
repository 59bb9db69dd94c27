// Files under names that no index of git takes, or at paths too long for it: read one name at a time
// and written into the hub by their content alone.
import { constants } from "node:fs";
import { open, readlink, type FileHandle } from "node:fs/promises";
import { hasCode, isAbsent, isForbidden } from "../../lib/error-code.ts";
import { Folder, splitPath } from "../shared/folder.ts";
import type { Entry } from "./checkpoint-extra.ts";
import type { GitContext } from "./context.ts";
import { rawEnvironment } from "./hub.ts";
import type { SizeLimits } from "./scan.ts";
import { mayBeSaved, shownPath } from "./scan.ts";
import { DEEP_BYTES } from "./snapshot.ts";

export type OddFiles = { files: Entry[]; skipped: string[] };

/** Held open at once. */
const CHUNK = 100;
/** More of them are listed, not saved. */
const ODD_MAX = 10_000;

export async function saveOdd(
  context: GitContext,
  { folder, paths, limits }: { folder: string; paths: string[]; limits: SizeLimits },
): Promise<OddFiles> {
  const saved: OddFiles = { files: [], skipped: paths.slice(ODD_MAX).map(shownPath) };
  if (paths.length === 0) return saved;
  await using root = await Folder.open(Buffer.from(`${folder}/.`));
  for (let at = 0; at < Math.min(paths.length, ODD_MAX); at += CHUNK) {
    const chunk = paths.slice(at, Math.min(at + CHUNK, ODD_MAX));
    const opened = await Promise.all(chunk.map((path) => openOdd(root, path, limits)));
    try {
      saved.files.push(...(await writeAll(context, opened)));
      const lost = opened.filter((one) => one.kind === "skipped");
      saved.skipped.push(...lost.map(({ path }) => shownPath(path)));
    } finally {
      const files = opened.filter((one) => one.kind === "file");
      await Promise.all(files.map(({ handle }) => handle.close()));
    }
  }
  return saved;
}

type Opened =
  | { kind: "file"; path: string; mode: string; handle: FileHandle }
  | { kind: "link"; path: string; target: Buffer }
  | { kind: "skipped" | "gone"; path: string };

async function openOdd(root: Folder, path: string, limits: SizeLimits): Promise<Opened> {
  const { above, name } = splitPath(path);
  try {
    await using holder = await root.enter(above);
    const stats = await holder?.stat(name);
    if (holder === undefined || stats === undefined) return { kind: "gone", path };
    if (stats.isSymbolicLink()) {
      const target = await readlink(holder.at(name), { encoding: "buffer" });
      return { kind: "link", path, target };
    }
    if (!stats.isFile() || !mayBeSaved(stats, limits)) return { kind: "skipped", path };
    const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
    const mode = (stats.mode & 0o100) === 0 ? "100644" : "100755";
    return { kind: "file", path, mode, handle: await open(holder.at(name), flags) };
  } catch (error) {
    if (isAbsent(error)) return { kind: "gone", path };
    if (isForbidden(error) || hasCode(error, ["ELOOP", "ENXIO"])) return { kind: "skipped", path };
    throw error;
  }
}

async function writeAll(context: GitContext, opened: Opened[]): Promise<Entry[]> {
  const env = rawEnvironment(context);
  const files = opened.filter((one) => one.kind === "file");
  const names = files.map(({ handle }) => `/proc/${process.pid}/fd/${handle.fd}\n`);
  const args = ["hash-object", "-w", "--no-filters"];
  const written =
    files.length === 0
      ? []
      : (
          await context.git({ args: [...args, "--stdin-paths"], env, stdin: names.join("") })
        ).stdout.split("\n");
  const entries = files.map(({ mode, path }, at) => ({ mode, path, id: written[at] ?? "" }));
  for (const one of opened) {
    if (one.kind !== "link") continue;
    const result = await context.git({ args: [...args, "--stdin"], env, stdin: one.target });
    entries.push({ mode: "120000", path: one.path, id: result.stdout });
  }
  return entries;
}

/** Files at paths that git could not open, in a folder that is known to have some. */
export const deepPaths = (folder: string): Promise<string[]> =>
  walk(folder, "", (path) => path.length > DEEP_BYTES);

/** The files of a repository itself. */
export const repositoryPaths = (folder: string): Promise<string[]> =>
  walk(folder, ".git", () => true);

async function walk(
  folder: string,
  from: string,
  isWanted: (path: string) => boolean,
): Promise<string[]> {
  await using root = await Folder.open(Buffer.from(`${folder}/.`));
  const found: string[] = [];
  const waiting = [from];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    await using inside = await root.enter(next);
    if (inside === undefined) continue;
    for (const name of await inside.names()) {
      if (name === ".git") continue;
      const path = next === "" ? name : `${next}/${name}`;
      if ((await inside.stat(name))?.isDirectory() === true) waiting.push(path);
      else if (isWanted(path)) found.push(path);
    }
  }
  return found;
}
