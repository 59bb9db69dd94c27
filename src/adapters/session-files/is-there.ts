// Whether a name is taken in a folder, by any kind of file.
import { lstat } from "node:fs/promises";
import { ifThere } from "../../lib/if-there.ts";

export const isThere = async (path: string): Promise<boolean> =>
  (await ifThere(lstat(path))) !== undefined;
