// Which programs the gates start, as far as their commands say: another compiler or runner is another
// environment, and what passed with the old one must pass again. Looks, and runs nothing.
import { realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { errorCode } from "../../lib/error-code.ts";

/** The program of each command: behind variables that are set for it, and of each part of a chain. */
const PROGRAM = /(?:^|&&|\|\||;|\|)\s*(?:\w+=\S*\s+)*(?<name>\w[\w.+-]*)(?=\s|$|;|&|\|)/g;
const PROGRAMS_MAX = 50;

export function programNames(commands: string[]): string[] {
  const names = commands.flatMap((command) =>
    [...command.matchAll(PROGRAM)].map((match) => match.groups?.["name"] ?? ""),
  );
  return [...new Set(names)].toSorted().slice(0, PROGRAMS_MAX);
}

/** Each with what tells one build of it from another; shell words and missing ones are left out. */
export async function programsOf(commands: string[], path: string): Promise<string[]> {
  const found = await Promise.all(programNames(commands).map((name) => lookUp(name, path)));
  return found.filter((facts) => facts !== undefined);
}

async function lookUp(name: string, path: string): Promise<string | undefined> {
  for (const folder of path.split(":").filter((one) => one.startsWith("/"))) {
    try {
      const place = await realpath(join(folder, name));
      const { size, mtimeMs } = await stat(place);
      return `${name} ${place} ${size} ${Math.round(mtimeMs)}`;
    } catch (error) {
      if (errorCode(error) === undefined) throw error;
    }
  }
  return undefined;
}
