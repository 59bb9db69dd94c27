// What users have said in a thread, as its model is told it when the thread is resumed: the lines of
// Codex's own file. Codex's list of turns is made from that file later, so that after a crash it may
// lack a message that the model knows, or have one that the model does not.
import { createInterface } from "node:readline";
import { parseObject } from "../../lib/json-object.ts";
import { openUntrusted } from "../shared/untrusted-file.ts";
import type { Calls, Thread } from "./protocol.ts";
import type { Rpc } from "./rpc.ts";

export const readSaid = async (rpc: Rpc, { id, path }: Thread): Promise<string[]> =>
  (path === null ? undefined : await keptIn(path)) ?? (await listed(rpc, id));

/** Undefined where there is no such file. */
async function keptIn(path: string): Promise<string[] | undefined> {
  // Below the user's own folder, which may be a link.
  await using file = await openUntrusted(path, { follow: true });
  if (file === undefined) return undefined;
  const said: string[] = [];
  // It may have hundreds of megabytes: it is never held as a whole.
  for await (const line of createInterface({
    input: file.createReadStream({ autoClose: false }),
  })) {
    if (!line.includes('"response_item"') || !line.includes('"user"')) continue;
    said.push(...saidIn(parseObject(line)?.["payload"]));
  }
  return said;
}

function saidIn(payload: unknown): string[] {
  const { type, role, content } = (payload ?? {}) as Record<string, unknown>;
  if (type !== "message" || role !== "user" || !Array.isArray(content)) return [];
  return [content.map((part: { text?: string }) => part.text ?? "").join("\n")];
}

async function listed(rpc: Rpc, threadId: string): Promise<string[]> {
  const said: string[] = [];
  let cursor: string | null = null;
  do {
    const asked = { threadId, itemsView: "full" as const, cursor };
    const page: Calls["thread/turns/list"]["answer"] = await rpc.call("thread/turns/list", asked);
    for (const item of page.data.flatMap((turn) => turn.items)) {
      if (item.type !== "userMessage") continue;
      said.push(item.content.map(({ text }) => text ?? "").join("\n"));
    }
    cursor = page.nextCursor;
  } while (cursor !== null);
  return said;
}
