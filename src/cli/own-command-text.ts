// What a person types to call this very Pawl: for advice that works when it is copied.
import { existsSync, realpathSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import process from "node:process";
import type { Deps } from "./deps.ts";

export function launcher({ env }: Pick<Deps, "env">, main = process.argv[1] ?? "pawl"): string {
  const own = ownFile(main);
  const folders = (env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  const first = folders.map((folder) => join(folder, "pawl")).find((path) => existsSync(path));
  return first !== undefined && isSame(first, own) ? "pawl" : own;
}

/** The file itself, however it was called. */
export function ownFile(main = process.argv[1] ?? "pawl"): string {
  const checkout = join(dirname(main), "../..", "pawl");
  return main.endsWith("/src/cli/main.ts") && existsSync(checkout) ? checkout : main;
}

const isSame = (found: string, main: string): boolean =>
  existsSync(found) && existsSync(main) && realpathSync(found) === realpathSync(main);
