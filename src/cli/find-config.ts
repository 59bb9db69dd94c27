// The pawl.toml that a person means: the one of this folder or of the nearest folder above it.
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { CONFIG_FILE } from "../config/load.ts";
import { OperationError } from "../lib/operation-error.ts";

export function findConfig(folder: string): { path: string; text: string } {
  for (let at = folder; ; at = dirname(at)) {
    const path = join(at, CONFIG_FILE);
    if (existsSync(path)) return { path, text: readFileSync(path, "utf8") };
    if (dirname(at) === at) break;
  }
  throw new OperationError(`there is no ${CONFIG_FILE} in ${folder} or in a folder above it`, {
    code: "config-missing",
    hint: "write one with `pawl init`",
  });
}
