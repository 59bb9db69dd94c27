// What runs on this machine, from /proc; where there is none (macOS), from ps. A process is named
// by pid, start time and boot, never by pid alone: after a reboot both numbers may well belong to
// another process. A zombie counts as dead. Only reads; reading is synchronous because /proc is
// memory: 10 to 30 µs a process, and asynchronous reads cost ten times that.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { setImmediate as immediate } from "node:timers/promises";
import { hasCode } from "../../lib/error-code.ts";
import { OperationError } from "../../lib/operation-error.ts";
import type { ProcessId } from "../../ports/terminal.ts";

export type ProcessRow = ProcessId & {
  state: string;
  parent: number;
  group: number;
  session: number;
  /** User and system time of itself and of the children it has waited for. */
  cpuMs: number;
};

export type Life = "alive" | "dead" | "unknown";

export const hasProc: boolean = existsSync("/proc/self/stat");

/** Which boot of the machine this is, empty where that is not known; the wrapper writes the same behind its ticks. */
export const bootId: string = hasProc ? readBoot() : "";

function readBoot(): string {
  try {
    return `@${readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()}`;
  } catch (error) {
    if (hasCode(error, ["ENOENT", "EACCES"])) return "";
    throw error;
  }
}

/** One line of /proc/{pid}/stat. The name in parentheses may hold anything, also `)` and spaces. */
export function parseStat(text: string): ProcessRow | undefined {
  const pid = Number.parseInt(text, 10);
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const [state, parent, group, session] = fields;
  const startTime = fields[19];
  if (!Number.isInteger(pid) || state === undefined || startTime === undefined) return undefined;
  return {
    pid,
    state,
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    startTime: `${startTime}${bootId}`,
    cpuMs: fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) * TICK_MS,
  };
}

/** Linux reports CPU time to user space in hundredths of a second, independent of its own tick. */
const TICK_MS = 10;

/** Only where there is a /proc. */
export function readProcess(pid: number): ProcessRow | "gone" | "unknown" {
  try {
    return parseStat(readFileSync(`/proc/${pid}/stat`, "utf8")) ?? "unknown";
  } catch (error) {
    return hasCode(error, ["ENOENT", "ESRCH"]) ? "gone" : "unknown";
  }
}

/** Compares what is seen under a pid with the process that is meant. */
export function judge(row: ProcessRow | "gone" | "unknown", id: ProcessId): Life {
  if (row === "unknown") return "unknown";
  if (row === "gone" || !isSameStart(row.startTime, id.startTime)) return "dead";
  return isGone(row.state) ? "dead" : "alive";
}

/** Records of an older Pawl name no boot: for them the ticks decide, as they did then. */
function isSameStart(seen: string, meant: string): boolean {
  return meant.includes("@") || !seen.includes("@")
    ? seen === meant
    : seen.slice(0, seen.indexOf("@")) === meant;
}

const isGone = (state: string): boolean => /^[ZXx]/.test(state);

export async function findProcess(pid: number): Promise<ProcessRow | "gone" | "unknown"> {
  if (hasProc) return readProcess(pid);
  const answer = await ps(["-p", String(pid)]);
  if (answer === undefined) return "unknown";
  return answer[0] ?? "gone";
}

/** A question that is not answered tells nothing about the process. */
export async function probeProcess(id: ProcessId): Promise<Life> {
  try {
    return judge(await findProcess(id.pid), id);
  } catch (error) {
    if (error instanceof OperationError) return "unknown";
    throw error;
  }
}

export async function listProcesses(): Promise<ProcessRow[]> {
  if (!hasProc) return ((await ps(["-ax"])) ?? []).filter((row) => !isGone(row.state));
  return surveyed(rowOf);
}

/** All at once, which takes 10 to 30 ms for a thousand of them. Only where there is a /proc. */
export const listedProcesses = (): ProcessRow[] => pids().flatMap(rowOf);

export const rowOf = (pid: number): ProcessRow[] => {
  const row = readProcess(pid);
  return typeof row === "string" || isGone(row.state) ? [] : [row];
};

/** About 3 ms of them. */
const PORTION = 100;
/** Each round only looks at what started during the one before. */
const ROUNDS_MAX = 10;

/**
 * What is found of each process there is. 500 agents have thousands of processes, so that the event
 * loop turns between two portions of them. Processes that started meanwhile are looked at too: a
 * child whose parent ended before its turn would slip through otherwise. Only where there is a /proc.
 */
export async function surveyed<T>(find: (pid: number) => T[], list = pids): Promise<T[]> {
  const found: T[] = [];
  const seen = new Set<number>();
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const fresh = list().filter((pid) => !seen.has(pid));
    if (fresh.length === 0) break;
    for (const [index, pid] of fresh.entries()) {
      if (index > 0 && index % PORTION === 0) await immediate();
      seen.add(pid);
      for (const one of find(pid)) found.push(one);
    }
  }
  return found;
}

const pids = (): number[] =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number);

/** Whether the environment a process was started with has all these `NAME=value` entries. */
export function carries(pid: number, entries: readonly string[]): boolean {
  if (!hasProc) return false;
  try {
    const environment = new Set(readFileSync(`/proc/${pid}/environ`, "utf8").split("\0"));
    return entries.every((entry) => environment.has(entry));
  } catch (error) {
    // Gone meanwhile, or another user's: in neither case ours.
    if (hasCode(error, ["ENOENT", "ESRCH", "EACCES", "EPERM"])) return false;
    throw error;
  }
}

const PS_TIMEOUT_MS = 5_000;
const PS_MAX_BYTES = 4 * 1024 * 1024;

/** `lstart` is the start time that the wrapper records too, and ps exits 1 where nothing matches. */
async function ps(selection: string[]): Promise<ProcessRow[] | undefined> {
  // Loaded only where there is no /proc: a command that looks at one process should start quickly.
  const { run } = await import("./run.ts");
  const { stdout, exitCode, stderr } = await run({
    argv: ["ps", ...selection, "-o", "pid=,ppid=,pgid=,state=,lstart="],
    cwd: "/",
    env: { PATH: process.env["PATH"], LC_ALL: "C" },
    timeoutMs: PS_TIMEOUT_MS,
    maxBytes: PS_MAX_BYTES,
    expect: [0, 1],
  });
  if (exitCode !== 0 && stderr !== "") return undefined;
  return stdout.split("\n").flatMap((line) => parsePsLine(line) ?? []);
}

export function parsePsLine(line: string): ProcessRow | undefined {
  const match = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.+?)\s*$/.exec(line);
  if (match === null) return undefined;
  const [, pid, parent, group, state = "", startTime = ""] = match;
  // A pane's processes share the leader's group, so the group serves as the session.
  return {
    pid: Number(pid),
    parent: Number(parent),
    group: Number(group),
    session: Number(group),
    state,
    startTime,
    // ps rounds to whole seconds, which is too coarse to tell work from a spinner.
    cpuMs: 0,
  };
}
