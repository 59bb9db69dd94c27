// Whether a name is taken in a folder, by whatever it is.
import { lstat } from "node:fs/promises";
import { isAbsent } from "../../lib/error-code.ts";

export async function isThere(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (isAbsent(error)) return false;
    throw error;
  }
}
