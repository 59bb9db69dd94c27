// Notices that a file grows, by watching its folder: a log that is rotated is another file of the
// same name.
import { watch } from "node:fs";
import { basename, dirname } from "node:path";
import { errorCode } from "../../lib/error-code.ts";

/** Terminals show a little at a time; a follower need not hear of each. */
const SETTLE_MS = 100;
/** Where the folder cannot be watched (it is not there yet, or too many are). */
const LOOK_MS = 1000;

export function watchLog(
  path: string,
  onGrown: () => void,
  { settleMs = SETTLE_MS }: { settleMs?: number } = {},
): () => void {
  let timer: NodeJS.Timeout | undefined;
  const grown = (): void => {
    timer ??= setTimeout(() => {
      timer = undefined;
      onGrown();
    }, settleMs);
  };
  const stop = watchFolder(path, grown) ?? lookAgain(onGrown);
  return () => {
    clearTimeout(timer);
    stop();
  };
}

function watchFolder(path: string, onEvent: () => void): (() => void) | undefined {
  try {
    const watcher = watch(dirname(path), (_kind, name) => {
      if (name === null || name === basename(path)) onEvent();
    });
    watcher.on("error", onEvent);
    return () => watcher.close();
  } catch (error) {
    if (["ENOENT", "EMFILE", "ENOSPC"].includes(errorCode(error) ?? "")) return undefined;
    throw error;
  }
}

function lookAgain(look: () => void): () => void {
  const timer = setInterval(look, LOOK_MS);
  timer.unref();
  return () => clearInterval(timer);
}
