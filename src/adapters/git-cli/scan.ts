// Which files of a folder changed since its private index was last brought up to date, and which of
// them can be saved. Paths are byte strings (Latin-1), because file names need not be UTF-8.
import { access, constants, lstat } from "node:fs/promises";
import { isAbsent, isForbidden } from "../../lib/error-code.ts";

export type Candidates = {
  /** No longer files: to be taken out of the index, before anything is put in their place. */
  gone: string[];
  /** To be brought up to date in the index. */
  changed: string[];
  /** Folders that are repositories of their own. */
  nested: string[];
  /** Cannot be read, too large, or neither file nor link. */
  skipped: string[];
};

/** Files at once: enough to be quick, few enough not to hold up the daemon. */
const CHUNK = 512;

export async function classify(
  folder: string,
  paths: string[],
  maxFileBytes: number,
): Promise<Candidates> {
  const found: Candidates = { gone: [], changed: [], nested: [], skipped: [] };
  const files = paths.filter((path) => !path.endsWith("/"));
  found.nested = paths.filter((path) => path.endsWith("/")).map((path) => path.slice(0, -1));
  for (let at = 0; at < files.length; at += CHUNK) {
    const chunk = files.slice(at, at + CHUNK);
    const kinds = await Promise.all(chunk.map((path) => kindOf(folder, path, maxFileBytes)));
    chunk.forEach((path, index) => found[kinds[index] ?? "skipped"].push(path));
  }
  return found;
}

async function kindOf(
  folder: string,
  path: string,
  maxFileBytes: number,
): Promise<"gone" | "changed" | "skipped"> {
  const full = bytePath(folder, path);
  try {
    const stats = await lstat(full);
    if (stats.isDirectory()) return "gone";
    if (stats.isSymbolicLink()) return "changed";
    if (!stats.isFile() || stats.size > maxFileBytes) return "skipped";
    await access(full, constants.R_OK);
    return "changed";
  } catch (error) {
    if (isAbsent(error)) return "gone";
    if (isForbidden(error)) return "skipped";
    throw error;
  }
}

/** The file system's own name for a byte string below a folder. */
export const bytePath = (folder: string, path: string): Buffer =>
  Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(path, "latin1")]);

/** How a byte string is shown to people. */
export const shownPath = (path: string): string => Buffer.from(path, "latin1").toString("utf8");

/** What git lists with -z, as byte strings. */
export const listedPaths = (bytes: Buffer): string[] =>
  bytes
    .toString("latin1")
    .split("\0")
    .filter((path) => path !== "");
