// What Claude Code says of itself in its own list of sessions. It closes two gaps: after an interrupt
// and after a refused permission no hook tells that the turn is over, and older versions report no
// prompt that is sent during a turn. The file is not documented, so that anything unexpected in it
// counts as no word at all.
import { join } from "node:path";
import { readLifeRecord } from "../shared/life-record.ts";
import { readUntrusted } from "../shared/untrusted-file.ts";
import { configFolder } from "./conversation.ts";
import { numberIn, parsePayload, textIn, type Payload } from "./payload.ts";
import { isOlder } from "../shared/is-older.ts";
import { QUEUED_PROMPTS_REPORTED_SINCE } from "./versions.ts";

/** Inside walls every session is the second process of its own namespace. */
const PID_INSIDE = 2;
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
  const record = await readLifeRecord(request.dir);
  const pid = request.env["PAWL_ISOLATION"] === undefined ? record?.agent?.pid : PID_INSIDE;
  if (pid === undefined) return undefined;
  const file = join(configFolder(request.env), "sessions", `${pid}.json`);
  const text = await readUntrusted(file, STATUS_MAX_BYTES);
  const own = text === undefined ? undefined : parsePayload(text);
  return own !== undefined && numberIn(own, "pid") === pid ? own : undefined;
}
