// The processes of lives, seen from outside: what they have used, and which ones there are. One pass
// over /proc for all of them, in portions.
import { readFileSync } from "node:fs";
import { hasCode } from "../../lib/error-code.ts";
import { hasProc, judge, listProcesses, surveyed } from "../shared/process-table.ts";
import type { ProcessRow } from "../shared/process-table.ts";
import type { CpuUse, LifeMarks, ProcessId } from "../../ports/terminal.ts";

/** Processes that have ended, and machines that cannot tell, are left out. */
export async function cpuOfTrees(ids: ProcessId[]): Promise<ReadonlyMap<number, CpuUse>> {
  const used = new Map<number, CpuUse>();
  if (!hasProc || ids.length === 0) return used;
  const rows = await listProcesses();
  const byPid = new Map(rows.map((row) => [row.pid, row]));
  const children = Map.groupBy(rows, (row) => row.parent);
  for (const id of ids) {
    const root = byPid.get(id.pid);
    if (root !== undefined && judge(root, id) === "alive") used.set(id.pid, useOf(root, children));
  }
  return used;
}

function useOf(root: ProcessRow, children: Map<number, ProcessRow[]>): CpuUse {
  const use: CpuUse = { usedMs: 0, running: false };
  const waiting = [root];
  for (let row = waiting.pop(); row !== undefined; row = waiting.pop()) {
    use.usedMs += row.cpuMs;
    use.running ||= row.state === "R";
    waiting.push(...(children.get(row.pid) ?? []));
  }
  return use;
}

export async function lifeProcesses(home: string): Promise<{ pid: number; marks: LifeMarks }[]> {
  if (!hasProc) return [];
  return surveyed((pid) => {
    const marks = marksOf(pid, home);
    return marks === undefined ? [] : [{ pid, marks }];
  });
}

/** By the environment it was started with, and only where its spool lies in this factory. */
function marksOf(pid: number, home: string): LifeMarks | undefined {
  const lines = environmentOf(pid);
  const value = (name: string): string | undefined =>
    lines.find((line) => line.startsWith(`${name}=`))?.slice(name.length + 1);
  if (value("PAWL_SPOOL")?.startsWith(`${home}/`) !== true) return undefined;
  const [project, run, epoch] = [value("PAWL_PROJECT"), value("PAWL_RUN"), value("PAWL_EPOCH")];
  if (project === undefined || run === undefined || epoch === undefined) return undefined;
  return { project, run, epoch: Number(epoch) };
}

function environmentOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
  } catch (error) {
    // Gone meanwhile, or another user's: in neither case ours.
    if (hasCode(error, ["ENOENT", "ESRCH", "EACCES", "EPERM"])) return [];
    throw error;
  }
}
