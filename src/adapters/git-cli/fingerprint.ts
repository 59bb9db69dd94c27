// Whether a file is still the one that was seen: git replaces its files by rename, so that a new
// content is a new inode.
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { isAbsent, isForbidden } from "../../lib/error-code.ts";
import { statUntrusted } from "../shared/untrusted-file.ts";

/** Undefined where there is no such file, or something that is not a regular file. */
export async function fingerprint(path: string): Promise<string | undefined> {
  const stats = await statUntrusted(path);
  if (stats === undefined) return undefined;
  return `${stats.ino} ${stats.size} ${stats.mtimeNs} ${stats.ctimeNs}`;
}

const FILES = ["HEAD", "packed-refs", "config", join("logs", "refs", "stash")];
/** With more refs than this, git is as quick. */
const REFS_MAX = 100;

/** Of everything that says what a repository's refs are; undefined where files cannot tell. */
export async function refsFingerprint(dir: string): Promise<string | undefined> {
  const refs = await refFiles(join(dir, "refs"));
  if (refs === undefined) return undefined;
  const names = [...FILES, ...refs.map((name) => join("refs", name))];
  const prints = await Promise.all(names.map((name) => fingerprint(join(dir, name))));
  return prints[0] === undefined
    ? undefined
    : names.map((name, at) => `${name} ${prints[at]}`).join("\n");
}

async function refFiles(folder: string): Promise<string[] | undefined> {
  try {
    const names = await readdir(folder, { recursive: true });
    return names.length > REFS_MAX ? undefined : names.toSorted();
  } catch (error) {
    if (isAbsent(error) || isForbidden(error)) return undefined;
    throw error;
  }
}
