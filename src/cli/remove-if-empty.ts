// The folder that holds the sockets of all factories of a user: each of them may be the last one.
import { lstatSync, readdirSync, rmdirSync } from "node:fs";

/** Only a folder of this user: in a temporary folder another one may have the name. */
export function removeIfEmpty(folder: string): void {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (found?.isDirectory() !== true || found.uid !== process.getuid?.()) return;
  if (readdirSync(folder).length === 0) rmdirSync(folder);
}
