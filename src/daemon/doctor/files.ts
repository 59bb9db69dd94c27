// Looking at files for the checks: what is not there is an answer, never a failure.
import { lstat, readdir, readlink } from "node:fs/promises";
import type { Stats } from "node:fs";
import { isAbsent } from "../../lib/error-code.ts";

export async function statOf(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path);
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}

/** Undefined also where it went since it was listed. */
export async function linkOf(path: string): Promise<string | undefined> {
  try {
    return await readlink(path);
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}

export async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (isAbsent(error)) return [];
    throw error;
  }
}
