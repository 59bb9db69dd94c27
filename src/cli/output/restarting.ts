// Whether a daemon that died is being started again: its keeper has written that, and nothing answers
// yet. Without this a person would start a second one.
import { closeSync, existsSync, fstatSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import { pawlHome } from "../../config/home.ts";
import type { Deps } from "../deps.ts";

/** A daemon that does not serve after so long is no longer about to. */
const RECENT_MS = 60_000;
/** The log may have megabytes. */
const END_BYTES = 64 * 1024;
const DIED = /"time":"(?<at>[^"]+)","msg":"the daemon died with exit code/g;

export function isRestarting({ env, now }: Pick<Deps, "env" | "now">): boolean {
  const home = pawlHome(env);
  const log = join(home, "daemon.log");
  if (existsSync(join(home, "stopped")) || !existsSync(log)) return false;
  const last = [...endOf(log).matchAll(DIED)].at(-1)?.groups?.["at"];
  return last !== undefined && now() - Date.parse(last) < RECENT_MS;
}

function endOf(path: string): string {
  const file = openSync(path, "r");
  try {
    const from = Math.max(0, fstatSync(file).size - END_BYTES);
    const buffer = Buffer.alloc(END_BYTES);
    return buffer.toString("utf8", 0, readSync(file, buffer, 0, END_BYTES, from));
  } finally {
    closeSync(file);
  }
}
