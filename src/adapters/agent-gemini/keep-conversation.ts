// Gemini CLI keeps a conversation in a file that is named after the minute it began in, and begins
// that file again when it loads the conversation within the same minute (seen in 0.61.0): the
// conversation would be gone. Under another name it is found, and continued, all the same.
import { globSync } from "node:fs";
import { realpath, rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ifThere } from "../../lib/if-there.ts";
import { conversationIn } from "../shared/agent-host/hosted-agent.ts";

/** As many characters of its id are in the name. */
const ID_CHARACTERS = 8;

/** `dir`: the folder of the life that is resumed. Safe to repeat. */
export async function keepConversation(dir: string, env: Record<string, string>): Promise<void> {
  const id = await conversationIn(dir);
  const home = env["GEMINI_CLI_HOME"] ?? env["HOME"];
  if (id === undefined || home === undefined || !/^[\w-]+$/.test(id)) return;
  const state = join(home, ".gemini");
  const folder = join(state, "tmp");
  // Outside walls the user's own folder, which may be a link. Inside, an agent may have made it one.
  const own = env["PAWL_ISOLATION"] === undefined ? state : home;
  const pattern = `*/chats/session-*-${id.slice(0, ID_CHARACTERS)}.jsonl`;
  for (const name of globSync(pattern, { cwd: folder })) {
    const path = join(folder, name);
    // An agent may put a link in place of any of these folders.
    if (!(await isBelow(own, path))) continue;
    await ifThere(rename(path, path.replace(/\.jsonl$/, `-${Date.now()}.jsonl`)));
  }
}

async function isBelow(folder: string, path: string): Promise<boolean> {
  const own = join(await realpath(folder), path.slice(folder.length));
  return (await ifThere(realpath(dirname(path)))) === dirname(own);
}
