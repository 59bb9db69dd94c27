// What Claude Code says of itself in its own list of sessions. It closes two gaps: after an interrupt
// and after a refused permission no hook tells that the turn is over, and older versions report no
// prompt that is sent during a turn. The file is not documented, so that anything unexpected in it
// counts as no word at all.
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { ifThere } from "../../lib/if-there.ts";
import { LIFE_FILES, readLifeRecord } from "../shared/life-record.ts";
import { readUntrusted } from "../shared/untrusted-file.ts";
import { configFolder } from "./conversation.ts";
import { numberIn, parsePayload, textIn, type Payload } from "./payload.ts";
import { isOlder } from "../shared/is-older.ts";
import { QUEUED_PROMPTS_REPORTED_SINCE } from "./versions.ts";

/** More records than one run leaves there. */
const RECORDS_MAX = 200;
const STATUS_MAX_BYTES = 1024 * 1024;

type Request = { dir: string; env: Record<string, string> };

export async function idleSince(request: Request): Promise<number | undefined> {
  const own = await ownRecord(request);
  if (own === undefined || textIn(own, "status") !== "idle") return undefined;
  return numberIn(own, "statusUpdatedAt");
}

/** Busy, an older version hands a prompt to the model without calling UserPromptSubmit. */
export async function reportsPrompts(request: Request): Promise<boolean> {
  const own = await ownRecord(request);
  const version = own === undefined ? undefined : textIn(own, "version");
  if (own === undefined || version === undefined) return true;
  return textIn(own, "status") !== "busy" || !isOlder(version, QUEUED_PROMPTS_REPORTED_SINCE);
}

async function ownRecord(request: Request): Promise<Payload | undefined> {
  const folder = join(configFolder(request.env), "sessions");
  if (request.env["PAWL_ISOLATION"] !== undefined) return newestRecord(folder, request.dir);
  const record = await readLifeRecord(request.dir);
  return record?.agent === undefined ? undefined : recordOf(folder, record.agent.pid);
}

/**
 * Inside walls the folder is the run's own, and the process has another number there, which depends on
 * what stands around it. What an earlier life has left is older than this life's first record.
 */
async function newestRecord(folder: string, dir: string): Promise<Payload | undefined> {
  const begun = await ifThere(stat(join(dir, LIFE_FILES.process)));
  const names = (await ifThere(readdir(folder))) ?? [];
  const pids = names.flatMap((name) => /^(\d+)\.json$/.exec(name)?.[1] ?? []).map(Number);
  const records = await Promise.all(pids.slice(0, RECORDS_MAX).map((pid) => recordOf(folder, pid)));
  const updated = (one: Payload): number => numberIn(one, "statusUpdatedAt") ?? 0;
  return records
    .filter((one) => one !== undefined)
    .filter((one) => begun !== undefined && updated(one) >= begun.mtimeMs)
    .toSorted((a, b) => updated(b) - updated(a))[0];
}

async function recordOf(folder: string, pid: number): Promise<Payload | undefined> {
  const text = await readUntrusted(join(folder, `${pid}.json`), STATUS_MAX_BYTES);
  const own = text === undefined ? undefined : parsePayload(text);
  return own !== undefined && numberIn(own, "pid") === pid ? own : undefined;
}
