// Whether a repository in an agent's workspace consists of files and folders only. Git opens what it
// finds: a FIFO in place of HEAD, the index or a pack would hold it until its time is over, again and
// again. So git never runs over a repository in which this finds something.
import type { Dirent } from "node:fs";
import { lstat, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { isAbsent, isForbidden } from "../../lib/error-code.ts";
import { ifThere } from "../../lib/if-there.ts";

/** The first path in `dir` that is neither file nor folder, nor a link to one; undefined where all is well. */
export async function irregularIn(dir: string): Promise<string | undefined> {
  const own = await ifThere(lstat(dir));
  if (own === undefined || own.isFile()) return undefined;
  if (!own.isDirectory() && !own.isSymbolicLink()) return dir;
  const open = [dir];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    for (const entry of await entriesOf(folder)) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) open.push(path);
      else if (!entry.isFile() && !(await leadsToFile(entry, path))) return path;
    }
  }
  return undefined;
}

/** A link that leads nowhere is nothing that could be opened. */
async function leadsToFile(entry: Dirent, path: string): Promise<boolean> {
  if (!entry.isSymbolicLink()) return false;
  try {
    const target = await stat(path);
    return target.isFile() || target.isDirectory();
  } catch {
    return true;
  }
}

async function entriesOf(folder: string): Promise<Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if (isAbsent(error) || isForbidden(error)) return [];
    throw error;
  }
}
