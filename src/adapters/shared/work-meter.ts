// Whether a program that says nothing works all the same: its processes use the processor, or read and
// write files. A program that waits (for a peer, a lock, a FIFO) does neither. Only reads /proc;
// where there is none (macOS), only what a program says counts.
import { readFileSync } from "node:fs";
import { hasProc, listedProcesses } from "./process-table.ts";

/**
 * Asks whether the group of this process has worked since it was last asked; the first answer is yes.
 * Undefined where the system does not tell.
 */
export function workMeter(group: number | undefined): (() => boolean) | undefined {
  if (group === undefined || !hasProc) return undefined;
  let before = new Map<number, string>();
  return () => {
    const now = workOf(group);
    // One that ended has worked too; its exit code may be on its way.
    const isOther = ([pid, work]: [number, string]): boolean => before.get(pid) !== work;
    const hasWorked = now.size !== before.size || [...now].some(isOther);
    before = now;
    return hasWorked;
  };
}

/** What each process of the group has done so far, in a form that can be compared. */
function workOf(group: number): Map<number, string> {
  const members = listedProcesses().filter((row) => row.group === group);
  return new Map(members.map(({ pid, cpuMs }) => [pid, `${cpuMs} ${bytesOf(pid)}`]));
}

function bytesOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/io`, "utf8");
  } catch {
    // Gone meanwhile, or a program of another user: then its processor time alone counts.
    return "";
  }
}
