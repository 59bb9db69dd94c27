// Links of this user in a folder that lead below another one, such as the phase links in /tmp.
import { lstatSync, readdirSync, readlinkSync } from "node:fs";
import { join } from "node:path";

export const isOwn = (path: string): boolean => lstatSync(path).uid === process.getuid?.();

export const linksInto = (folder: string, target: string): string[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isSymbolicLink())
    .map(({ name }) => join(folder, name))
    .filter((link) => isOwn(link) && readlinkSync(link).startsWith(`${target}/`));
