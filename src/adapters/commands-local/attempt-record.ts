// What an attempt at a command left in its folder: who runs it, how it ended, what it printed.
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { errorCode, isAbsent } from "../../lib/error-code.ts";
import { ifThere } from "../../lib/if-there.ts";
import type { Group } from "../shared/leftovers.ts";
import { openUntrusted, readUntrusted } from "../shared/untrusted-file.ts";

/** The end of what was printed is kept, and this much of it read. */
const TAIL_BYTES = 64_000;
const ERRORS_BYTES = 8000;
const TEXT_BYTES = 4096;

/** The ends that Pawl caused. They are reported to a caller that asks again. */
export type Cut = "timed-out" | "overflowed";

export const FILES = {
  started: "started",
  process: "process",
  exit: "exit",
  cut: "cut",
  output: "output",
  errors: "errors",
  inputs: "inputs",
} as const;

export async function exitCodeIn(folder: string): Promise<number | undefined> {
  const text = await textOf(join(folder, FILES.exit));
  return text === undefined ? undefined : Number(text.trim());
}

/** Why Pawl ended it; undefined where it did not. */
export async function cutIn(folder: string): Promise<Cut | undefined> {
  const text = await textOf(join(folder, FILES.cut));
  return text === "timed-out" || text === "overflowed" ? text : undefined;
}

export async function isStarted(folder: string): Promise<boolean> {
  return (await sizeOf(join(folder, FILES.started))) !== undefined;
}

/** The group that runs it; undefined where none was recorded. */
export async function groupIn(folder: string): Promise<Group | undefined> {
  const [pid = "", line = ""] = (await textOf(join(folder, FILES.process)))?.split("\n") ?? [];
  if (!/^\d+$/.test(pid) || Number(pid) <= 1) return undefined;
  return { id: Number(pid), startedAt: fieldsOf(line)[START_FIELD] };
}

/** Behind the program's name, which is in parentheses and may hold anything. */
const fieldsOf = (line: string): string[] => line.slice(line.lastIndexOf(")") + 2).split(" ");
const STATE_FIELD = 0;
const START_FIELD = 19;

export async function isAlive(folder: string): Promise<boolean> {
  const group = await groupIn(folder);
  if (group === undefined) return false;
  const line = await statLine(group.id);
  if (line === undefined) return group.startedAt === undefined && answers(group.id);
  const fields = fieldsOf(line);
  return fields[START_FIELD] === group.startedAt && !/^[ZX]/.test(fields[STATE_FIELD] ?? "");
}

/** Where there is no /proc, a pid that answers is the best there is. */
function answers(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    if (errorCode(error) === "ESRCH") return false;
    throw error;
  }
}

export async function printedIn(folder: string): Promise<{ output: string; errors: string }> {
  return {
    output: await tailOf(join(folder, FILES.output), TAIL_BYTES),
    errors: await tailOf(join(folder, FILES.errors), ERRORS_BYTES),
  };
}

export async function printedBytes(folder: string): Promise<number> {
  const sizes = await Promise.all(
    [FILES.output, FILES.errors].map((name) => sizeOf(join(folder, name))),
  );
  return sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0);
}

async function tailOf(path: string, bytesMax: number): Promise<string> {
  await using file = await openUntrusted(path);
  if (file === undefined) return "";
  const { size } = await file.stat();
  const length = Math.min(size, bytesMax);
  const { buffer, bytesRead } = await file.read({
    buffer: Buffer.alloc(length),
    position: size - length,
  });
  return buffer.subarray(0, bytesRead).toString("utf8");
}

const sizeOf = async (path: string): Promise<number | undefined> =>
  (await ifThere(stat(path)))?.size;

const textOf = (path: string): Promise<string | undefined> => readUntrusted(path, TEXT_BYTES);

async function statLine(pid: number): Promise<string | undefined> {
  try {
    return await readFile(`/proc/${pid}/stat`, "utf8");
  } catch (error) {
    if (isAbsent(error) || errorCode(error) === "ESRCH") return undefined;
    throw error;
  }
}
