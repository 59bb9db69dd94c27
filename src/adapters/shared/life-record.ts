// What the wrapper leaves in an epoch's folder, and the names it has there. The agent can write in
// the same folder, so everything is checked; a record that makes no sense counts as absent.
import { join } from "node:path";
import { parseObject } from "../../lib/json-object.ts";
import type { ExitRecord, ProcessId } from "../../ports/terminal.ts";
import { readUntrusted } from "./untrusted-file.ts";

const RECORD_MAX_BYTES = 4 * 1024;

export const LIFE_FILES = {
  process: "process",
  exit: "exit.json",
  alive: "alive",
  launch: "launch.sh",
} as const;

export type LifeRecord = {
  wrapper: ProcessId;
  pane: string;
  tmuxSession: string;
  /** Added a moment after the wrapper's own line. */
  agent: ProcessId | undefined;
};

export function parseLifeRecord(text: string): LifeRecord | undefined {
  const lines = new Map(
    text.split("\n").map((line) => {
      const space = line.indexOf(" ");
      return [line.slice(0, space), line.slice(space + 1)] as const;
    }),
  );
  const wrapper = parseProcessId(lines.get("wrapper"));
  const pane = lines.get("pane");
  const tmuxSession = lines.get("session");
  if (wrapper === undefined || tmuxSession === undefined) return undefined;
  if (pane === undefined || !/^%\d+$/.test(pane)) return undefined;
  return { wrapper, pane, tmuxSession, agent: parseProcessId(lines.get("agent")) };
}

function parseProcessId(text: string | undefined): ProcessId | undefined {
  const match = /^(\d+) (.+)$/.exec(text ?? "");
  if (match?.[1] === undefined || match[2] === undefined) return undefined;
  const pid = Number(match[1]);
  // 0 and 1 are never an agent's; as a target of a signal they would mean far more.
  return pid > 1 ? { pid, startTime: match[2].trim() } : undefined;
}

export function parseExitRecord(text: string): ExitRecord | undefined {
  const value = parseObject(text);
  if (value === undefined) return undefined;
  const { code, signal, startedAt, endedAt } = value;
  if (typeof startedAt !== "number" || typeof endedAt !== "number") return undefined;
  if (typeof code === "number") return { code, signal: null, startedAt, endedAt };
  if (typeof signal === "string") return { code: null, signal, startedAt, endedAt };
  return undefined;
}

/** The life of this folder, if one has begun. */
export async function readLifeRecord(dir: string): Promise<LifeRecord | undefined> {
  const text = await readUntrusted(join(dir, LIFE_FILES.process), RECORD_MAX_BYTES);
  return text === undefined ? undefined : parseLifeRecord(text);
}
