// Moves a kept folder (`[ci] keep`) from the last checkout into the next one. A gate could have put a
// link in its place or above it: links are never followed, and a link itself is not kept.
import { chmod, lstat, mkdir, readdir, rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isForbidden } from "../../lib/error-code.ts";
import { ifThere } from "../../lib/if-there.ts";

/** `kept` is a path inside the repository; a `*` stands for any part of one name. */
export async function moveKept(before: string, next: string, kept: string): Promise<void> {
  const names = kept.split("/").filter((name) => name !== "" && name !== ".");
  for (const path of await foldersAt(before, names)) {
    const to = join(next, path);
    // Two settings may name the same folder, or one inside the other.
    if ((await ifThere(lstat(to))) !== undefined) continue;
    await mkdir(dirname(to), { recursive: true });
    await moveFolder(join(before, path), to);
  }
}

/** To move a folder is to write in it, and module caches make theirs read-only. */
async function moveFolder(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if (!isForbidden(error)) throw error;
    await chmod(from, 0o700);
    await rename(from, to);
  }
}

/** The folders that these names lead to, relative to `root`, over real folders only. */
async function foldersAt(root: string, names: string[]): Promise<string[]> {
  if (!(await isFolder(root))) return [];
  let found = [""];
  for (const name of names) {
    const below: string[] = [];
    for (const folder of found) below.push(...(await foldersIn(root, folder, name)));
    found = below;
  }
  return found.filter((path) => path !== "");
}

async function foldersIn(root: string, folder: string, name: string): Promise<string[]> {
  const names = name.includes("*") ? await matching(join(root, folder), name) : [name];
  const paths = names.map((one) => join(folder, one));
  const real = await Promise.all(paths.map((path) => isFolder(join(root, path))));
  return paths.filter((_, index) => real[index]);
}

async function matching(folder: string, pattern: string): Promise<string[]> {
  const parts = pattern
    .split("*")
    .map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`));
  const wanted = new RegExp(`^${parts.join(".*")}$`, "s");
  return (await readdir(folder)).filter((name) => wanted.test(name));
}

const isFolder = async (path: string): Promise<boolean> =>
  (await ifThere(lstat(path)))?.isDirectory() === true;
