// What Claude Code says of itself in its own list of sessions. It closes a gap: after an interrupt
// and after a refused permission no hook tells that the turn is over. The file is not documented,
// so that anything unexpected in it counts as no word at all.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { ifThere } from "../../lib/if-there.ts";
import { readLifeRecord } from "../shared/life-record.ts";
import { configFolder } from "./conversation.ts";
import { numberIn, parsePayload, textIn } from "./payload.ts";

export async function idleSince(request: {
  dir: string;
  env: Record<string, string>;
}): Promise<number | undefined> {
  const pid = (await readLifeRecord(request.dir))?.agent?.pid;
  if (pid === undefined) return undefined;
  const text = await ifThere(
    readFile(join(configFolder(request.env), "sessions", `${pid}.json`), "utf8"),
  );
  const own = text === undefined ? undefined : parsePayload(text);
  if (own === undefined || numberIn(own, "pid") !== pid) return undefined;
  return textIn(own, "status") === "idle" ? numberIn(own, "statusUpdatedAt") : undefined;
}
