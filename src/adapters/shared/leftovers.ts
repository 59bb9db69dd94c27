// Ending what a check left running. A process is ended only where it is proven to be ours: its
// environment carries the check's mark, or its group's leader is the very process that was started
// (same pid and same start time), or it is an orphan in the check's folder (orphans-inside.ts). Never
// by a pid alone: pids are used again.
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout } from "node:timers/promises";
import { hasCode } from "../../lib/error-code.ts";
import { OperationError } from "../../lib/operation-error.ts";
import { orphansAmong, startedSince } from "./orphans-inside.ts";
import { carries, hasProc, listProcesses, surveyed } from "./process-table.ts";

export const MARK_VARIABLE = "PAWL_CHECK";
const END_MS = 5000;
const RECHECK_MS = 5;

export type Group = {
  /** The leader's pid. */
  id: number;
  /** In clock ticks since boot, from /proc; undefined where there is no /proc. */
  startedAt: string | undefined;
};

/** What is on disk while a check runs; the mark is there before the first process is. */
export type RunningRecord = { mark: string; group?: Group };

export async function writeRunning(file: string, record: RunningRecord): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(`${file}.tmp`, JSON.stringify(record));
  await rename(`${file}.tmp`, file);
}

/** Ends what an earlier daemon's check left behind, and forgets it. */
export async function endRecorded(file: string): Promise<void> {
  const text = await readIfThere(file);
  if (text === undefined) return;
  const record = parseRecord(text);
  if (record?.group !== undefined && (await isSame(record.group))) {
    signalGroup(record.group.id, "SIGKILL");
  }
  if (record !== undefined) await endMarked(record.mark);
  await rm(file, { force: true });
}

function parseRecord(text: string): RunningRecord | undefined {
  try {
    return JSON.parse(text) as RunningRecord;
  } catch (error) {
    // It is renamed into place whole, so this is damage from outside; nothing in it can be trusted.
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

export async function groupOf(pid: number): Promise<Group> {
  return { id: pid, startedAt: await startOf(pid) };
}

/**
 * Ends the rest of a group whose leader has just ended under our eyes. The number cannot have been
 * used again while members live, and where it has been since, the new leader's start time differs.
 */
export async function endRest(group: Group): Promise<void> {
  const leader = await startOf(group.id);
  if (leader === undefined || leader === group.startedAt) signalGroup(group.id, "SIGKILL");
}

/**
 * Ends every process that carries the mark, wherever it went, and returns when all are gone: the
 * next checkout must not share its folder with one that is still dying.
 */
export async function endMarked(mark: string): Promise<void> {
  const deadline = performance.now() + END_MS;
  for (;;) {
    const pids = await markedProcesses(mark);
    if (pids.length === 0) return;
    for (const pid of pids) signal(pid, "SIGKILL");
    if (performance.now() > deadline) throw stillRunning(pids);
    await setTimeout(RECHECK_MS);
  }
}

/**
 * Ends what a command of a check has left, by its mark and by its folder, with one look at all
 * processes: hundreds of them take longer than a quick command. All that it has started is younger.
 */
export async function endLeft(left: {
  mark: string;
  folder: string;
  since: string | undefined;
}): Promise<void> {
  if (!hasProc) return;
  const wanted = [`${MARK_VARIABLE}=${left.mark}`];
  const isSince = startedSince(left.since);
  const deadline = performance.now() + END_MS;
  for (;;) {
    const rows = await listProcesses();
    const marked = rows
      .filter((row) => row.pid !== process.pid && isSince(row) && carries(row.pid, wanted))
      .map(({ pid }) => pid);
    const orphans = orphansAmong(rows, left.folder, left.since).map(({ pid }) => pid);
    if (marked.length + orphans.length === 0) return;
    for (const pid of [...marked, ...orphans]) signal(pid, "SIGKILL");
    if (performance.now() > deadline) {
      if (marked.length > 0) throw stillRunning(marked);
      return;
    }
    await setTimeout(RECHECK_MS);
  }
}

const stillRunning = (pids: number[]): OperationError =>
  new OperationError(`cannot end what a check left running: process ${pids.join(", ")}`, {
    code: "leftovers",
    hint: "it is probably waiting for a disk or a network share that does not answer",
    retryable: true,
  });

export async function markedProcesses(mark: string): Promise<number[]> {
  if (!hasProc) return [];
  const wanted = [`${MARK_VARIABLE}=${mark}`];
  return surveyed((pid) => (pid !== process.pid && carries(pid, wanted) ? [pid] : []));
}

const isSame = async (group: Group): Promise<boolean> =>
  group.startedAt !== undefined && (await startOf(group.id)) === group.startedAt;

async function startOf(pid: number): Promise<string | undefined> {
  const stat = await readIfThere(`/proc/${pid}/stat`);
  // The second field is the program's name in parentheses and may hold anything.
  return stat?.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
}

export function signalGroup(id: number, name: NodeJS.Signals): void {
  signal(-id, name);
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    // Gone already, or grown into another user's: neither is ours to end any more.
    if (!hasCode(error, ["ESRCH", "EPERM"])) throw error;
  }
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if (hasCode(error, ["ENOENT", "ESRCH", "EACCES", "EPERM"])) return undefined;
    throw error;
  }
}
