// Which program holds a factory: a daemon, also one that does not answer yet or any more, or a command
// that writes.
import { existsSync } from "node:fs";
import { acquireLock } from "../../store/lock.ts";
import { pathsOf } from "./paths.ts";

/** In words; undefined where it is free. */
export function factoryHolder(home: string): string | undefined {
  const path = pathsOf(home, "").lock;
  if (!existsSync(path)) return undefined;
  const lock = acquireLock(path, { version: "" });
  if (lock.kind === "busy") {
    return lock.holder === undefined ? "another program" : `pid ${lock.holder.pid}`;
  }
  lock.release();
  return undefined;
}
