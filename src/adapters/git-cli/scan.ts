// Which files of a folder changed since its private index was last brought up to date, and which of
// them can be saved. Paths are byte strings (Latin-1), because file names need not be UTF-8.
import { access, constants, lstat } from "node:fs/promises";
import { hasCode, isAbsent, isForbidden } from "../../lib/error-code.ts";
import { refusedByGit } from "./refused-names.ts";

export type Candidates = {
  /** No longer files: to be taken out of the index, before anything is put in their place. */
  gone: string[];
  /** To be brought up to date in the index. */
  changed: string[];
  /** Those of them that are links: nothing below them is part of the folder. */
  links: string[];
  /** Git takes no such name into an index, or the system no such path in one piece. */
  odd: string[];
  /** Folders that are repositories of their own. */
  nested: string[];
  /** Cannot be read, too large, or being written. */
  skipped: string[];
  /** Pipes, sockets and devices: they hold nothing that could be saved. */
  special: string[];
};

/** Which files are left to a later save, because every save would write them whole. */
export type SizeLimits = {
  /** Larger ones are never saved. */
  maxBytes: number;
  /** Larger ones are saved once they have not changed for a while; 0: at once. */
  quietMs: number;
  now: number;
};

export const LARGE_BYTES = 50 * 1024 * 1024;
/** Files at once: enough to be quick, few enough not to hold up the daemon. */
const CHUNK = 512;

export async function classify(
  folder: string,
  paths: string[],
  limits: SizeLimits,
): Promise<Candidates> {
  const found: Candidates = {
    gone: [],
    changed: [],
    links: [],
    odd: [],
    nested: [],
    skipped: [],
    special: [],
  };
  const files = paths.filter((path) => !path.endsWith("/"));
  found.nested = paths.filter((path) => path.endsWith("/")).map((path) => path.slice(0, -1));
  for (let at = 0; at < files.length; at += CHUNK) {
    const chunk = files.slice(at, at + CHUNK);
    const kinds = await Promise.all(chunk.map((path) => kindOf(folder, path, limits)));
    chunk.forEach((path, index) => {
      const kind = kinds[index] ?? "skipped";
      found[kind === "links" ? "changed" : kind].push(path);
      if (kind === "links") found.links.push(path);
    });
  }
  return found;
}

async function kindOf(
  folder: string,
  path: string,
  limits: SizeLimits,
): Promise<Exclude<keyof Candidates, "nested">> {
  const full = bytePath(folder, path);
  try {
    const stats = await lstat(full);
    if (stats.isDirectory()) return "gone";
    const isLink = stats.isSymbolicLink();
    if (!isLink && !stats.isFile()) return "special";
    if (!isLink && !mayBeSaved(stats, limits)) return "skipped";
    if (refusedByGit(path, isLink)) return "odd";
    if (isLink) return "links";
    await access(full, constants.R_OK);
    return "changed";
  } catch (error) {
    if (isAbsent(error)) return "gone";
    if (hasCode(error, ["ENAMETOOLONG"])) return "odd";
    if (isForbidden(error)) return "skipped";
    throw error;
  }
}

export function mayBeSaved(
  { size, mtimeMs, ctimeMs }: { size: number; mtimeMs: number; ctimeMs: number },
  { maxBytes, quietMs, now }: SizeLimits,
): boolean {
  if (size > maxBytes) return false;
  return size <= LARGE_BYTES || now - Math.max(mtimeMs, ctimeMs) >= quietMs;
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
