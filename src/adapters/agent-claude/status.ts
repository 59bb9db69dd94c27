// What Claude Code says of itself in its own list of sessions. It closes a gap: after an interrupt
// and after a refused permission no hook tells that the turn is over. The file is not documented,
// so that anything unexpected in it counts as no word at all.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { isAbsent } from "../../lib/error-code.ts";
import { readLifeRecord } from "../shared/life-record.ts";
import { configFolder } from "./conversation.ts";
import { numberIn, parsePayload, textIn } from "./payload.ts";

export async function idleSince(request: {
  dir: string;
  env: Record<string, string>;
}): Promise<number | undefined> {
  const pid = (await readLifeRecord(request.dir))?.agent?.pid;
  if (pid === undefined) return undefined;
  const text = await read(join(configFolder(request.env), "sessions", `${pid}.json`));
  const own = text === undefined ? undefined : parsePayload(text);
  if (own === undefined || numberIn(own, "pid") !== pid) return undefined;
  return textIn(own, "status") === "idle" ? numberIn(own, "statusUpdatedAt") : undefined;
}

async function read(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}
