// Links of this user in a folder that lead below another one, such as the phase links in /tmp.
import { lstatSync, readdirSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { hasCode } from "../lib/error-code.ts";

const isOwn = (path: string): boolean => lstatSync(path).uid === process.getuid?.();

export const linksInto = (folder: string, target: string): string[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isSymbolicLink())
    .map(({ name }) => join(folder, name))
    .filter((link) => leadsInto(link, target));

/** Of links of other programs, one may be removed while this looks. */
function leadsInto(link: string, target: string): boolean {
  try {
    return isOwn(link) && readlinkSync(link).startsWith(`${target}/`);
  } catch (error) {
    if (hasCode(error, ["ENOENT"])) return false;
    throw error;
  }
}
