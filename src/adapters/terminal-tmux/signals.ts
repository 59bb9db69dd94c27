// Signals to processes that are proven to be the ones meant, and waiting for their end. There is no
// event for the end of a process that is not our child, so it is looked for, often at first.
import { setTimeout as delay } from "node:timers/promises";
import { hasCode } from "../../lib/error-code.ts";
import { findProcess, judge } from "../shared/process-table.ts";
import type { ProcessId } from "../../ports/terminal.ts";

const FIRST_LOOK_MS = 2;
const LAST_LOOK_MS = 40;

/** To one process, or with a negative number to a group. */
export function send(target: number, signal: NodeJS.Signals): void {
  try {
    process.kill(target, signal);
  } catch (error) {
    // Gone already, or no longer ours: nothing is left to do.
    if (!hasCode(error, ["ESRCH", "EPERM"])) throw error;
  }
}

/** Those of them that still live. */
export async function living<T extends ProcessId>(ids: readonly T[]): Promise<T[]> {
  const lives = await Promise.all(ids.map(async (id) => judge(await findProcess(id.pid), id)));
  return ids.filter((_, index) => lives[index] !== "dead");
}

/** Ends a list of processes one by one; CONT, because a stopped process takes no TERM. */
export async function signalEach(ids: readonly ProcessId[], signal: NodeJS.Signals): Promise<void> {
  for (const { pid } of await living(ids)) {
    send(pid, signal);
    send(pid, "SIGCONT");
  }
}

/** True when all have ended, false when the time is over. */
export async function whenGone(ids: readonly ProcessId[], timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  let lookMs = FIRST_LOOK_MS;
  for (;;) {
    if ((await living(ids)).length === 0) return true;
    if (performance.now() >= deadline) return false;
    await delay(Math.min(lookMs, Math.max(1, deadline - performance.now())));
    lookMs = Math.min(lookMs * 2, LAST_LOOK_MS);
  }
}
