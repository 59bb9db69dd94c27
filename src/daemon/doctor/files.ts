// Looking at files for the checks: what is not there is an answer, never a failure.
import { lstat, readdir, readlink } from "node:fs/promises";
import type { Stats } from "node:fs";
import { ifThere } from "../../lib/if-there.ts";

export const statOf = (path: string): Promise<Stats | undefined> => ifThere(lstat(path));

/** Undefined also where it went since it was listed. */
export const linkOf = (path: string): Promise<string | undefined> => ifThere(readlink(path));

export const namesIn = async (folder: string): Promise<string[]> =>
  (await ifThere(readdir(folder))) ?? [];
