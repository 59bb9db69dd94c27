// Ends a program together with its children, and decides when its output is complete.
// It only ever signals a group that run() started.
import { once } from "node:events";
import { errorCode } from "../../lib/error-code.ts";
import type { Program } from "./program.ts";

/** How long a program may take to clean up (git removes its lock files) before it is killed. */
const TERM_GRACE_MS = 2_000;
/** How long output may stay open after the exit: a daemon it left behind can hold it for ever. */
const OUTPUT_GRACE_MS = 1_000;

/** SIGTERM to the group, SIGKILL after a grace; the output is let go of in any case. */
export function stopGroup(child: Program): void {
  signalGroup(child, "SIGTERM");
  const timer = setTimeout(() => {
    signalGroup(child, "SIGKILL");
    letGo(child);
  }, TERM_GRACE_MS);
  child.once("close", () => clearTimeout(timer));
}

/**
 * Resolves when the program has ended and all it wrote is read, or cannot be waited for. With
 * `mustDrain` its reader may take as long as it needs: what is left unread would be lost.
 */
export async function whenExited(
  child: Program,
  { mustDrain }: { mustDrain: boolean },
): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  child.once("exit", () => {
    if (child.isLost === true) signalGroup(child, "SIGKILL");
    if (!mustDrain) timer = setTimeout(() => letGo(child), OUTPUT_GRACE_MS);
  });
  await once(child, "close");
  clearTimeout(timer);
}

function signalGroup(child: Program, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch (error) {
    if (errorCode(error) !== "ESRCH") throw error;
  }
}

function letGo(child: Program): void {
  child.stdout?.destroy();
  child.stderr?.destroy();
  child.stdin?.destroy();
}
