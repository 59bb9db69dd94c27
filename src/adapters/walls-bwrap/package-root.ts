// The folder of this Pawl: agents run its scripts, and its command.
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

export function packageRoot(): string {
  const own = import.meta.dirname;
  for (let folder = own; folder !== dirname(folder); folder = dirname(folder)) {
    if (existsSync(join(folder, "package.json"))) return folder;
  }
  return own;
}
