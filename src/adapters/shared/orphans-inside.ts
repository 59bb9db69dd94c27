// Processes that work in a folder of ours although nothing ties them to who started them: they left
// their terminal (setsid), their environment (env -i) and their parent (a double fork). A process is
// taken for one only where all of this is seen: its working folder, its program or an open file is
// inside, it has no terminal, and its family began after `since` and has the process that orphans are
// given to for a parent. A person's shell has a terminal, and the server of an editor was there before:
// both are left alone, with all that they start.
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { hasProc, listProcesses, type ProcessRow } from "./process-table.ts";

/** `since`: a start time as the process table has it; a family that began before it is someone else's. */
export async function orphansInside(
  folder: string,
  options: { since?: string | undefined } = {},
): Promise<ProcessRow[]> {
  return hasProc ? orphansAmong(await listProcesses(), folder, options.since) : [];
}

/** As `orphansInside`; `rows` are all processes there are. Only where there is a /proc. */
export function orphansAmong(
  rows: readonly ProcessRow[],
  folder: string,
  since: string | undefined,
): ProcessRow[] {
  const byPid = new Map(rows.map((row) => [row.pid, row]));
  const isSince = startedSince(since);
  return rows.filter((row) => {
    // The first of a session of its own: those it started since are in the same session.
    const first = byPid.get(row.session) ?? row;
    const isCandidate = row.pid !== process.pid && isSince(row) && isSince(first);
    // The open files last: few processes are orphans, and some have hundreds of files.
    return (
      isCandidate && isOrphan(first, byPid) && !hasTerminal(row.pid) && isInside(row.pid, folder)
    );
  });
}

/** True of all where nothing is known. */
export function startedSince(since: string | undefined): (row: ProcessRow) => boolean {
  const began = ticksOf(since ?? "0");
  return ({ startTime }) => ticksOf(startTime) >= began;
}

const ticksOf = (startTime: string): number => Number.parseInt(startTime, 10);

/** Its family ends at init, or at a manager that init started and that takes orphans in its place. */
function isOrphan(first: ProcessRow, byPid: ReadonlyMap<number, ProcessRow>): boolean {
  if (first.parent <= 1) return true;
  const parent = byPid.get(first.parent);
  return parent === undefined || (parent.parent === 1 && isManager(parent.pid));
}

/** Only to know who adopts: no process is ended for its name. */
const isManager = (pid: number): boolean => /^systemd$/.test(textOf(`/proc/${pid}/comm`).trim());

const TERMINAL_FIELD = 4;

function hasTerminal(pid: number): boolean {
  const stat = textOf(`/proc/${pid}/stat`);
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[TERMINAL_FIELD] !== "0";
}

function isInside(pid: number, folder: string): boolean {
  const places = ["cwd", "exe"].map((name) => linkOf(`/proc/${pid}/${name}`));
  if (places.some((path) => isBelow(path, folder))) return true;
  return namesIn(`/proc/${pid}/fd`).some((name) =>
    isBelow(linkOf(join(`/proc/${pid}/fd`, name)), folder),
  );
}

/** A folder that was removed or renamed meanwhile is shown with a note behind it. */
const isBelow = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(`${folder}/`) || path === `${folder} (deleted)`;

/** What is gone meanwhile, or another user's, is nothing of ours. */
function orNothing<T>(look: () => T, nothing: T): T {
  try {
    return look();
  } catch {
    return nothing;
  }
}

const linkOf = (path: string): string => orNothing(() => readlinkSync(path), "");
const textOf = (path: string): string => orNothing(() => readFileSync(path, "utf8"), "");
const namesIn = (folder: string): string[] => orNothing(() => readdirSync(folder), []);
