// Where a program that pawl.toml names is: as a path, or in the folders of PATH.
import { access, constants } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import { errorCode } from "../lib/error-code.ts";

/** Undefined where it is nowhere. A path with a folder in it is looked for below `root`. */
export async function findProgram(
  program: string,
  { root, path = "" }: { root: string; path: string | undefined },
): Promise<string | undefined> {
  const folders = path.split(":").filter((one) => one !== "");
  const places = isAbsolute(program)
    ? [program]
    : program.includes("/")
      ? [join(root, program)]
      : folders.map((folder) => join(folder, program));
  for (const place of places) if (await isProgram(place)) return place;
  return undefined;
}

async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return true;
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return false;
  }
}
