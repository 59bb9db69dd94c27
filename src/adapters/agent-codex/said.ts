// What users have said in a thread, as Codex keeps it on disk.
import type { Calls } from "./protocol.ts";
import type { Rpc } from "./rpc.ts";

export async function readSaid(rpc: Rpc, threadId: string): Promise<string[]> {
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
