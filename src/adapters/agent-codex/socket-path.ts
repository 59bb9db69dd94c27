// Where the server of a life listens. A Unix socket's path has at most 107 bytes, and the folder of a
// session may be deeper than that: then a private folder among the temporary files has it, whose name
// stands in the session's folder. A life that was killed leaves it behind, and a later one removes it.
import { globSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hasCode } from "../../lib/error-code.ts";
import { readUntrusted } from "../shared/untrusted-file.ts";

const PATH_MAX_BYTES = 107;
const NOTE = "codex-socket-folder";
const NOTE_MAX_BYTES = 4096;
const SOCKET = "s";

/** Free to be listened at. */
export async function socketPath(dir: string): Promise<string> {
  const own = join(dir, "codex.sock");
  if (Buffer.byteLength(own) <= PATH_MAX_BYTES) {
    await rm(own, { force: true });
    return own;
  }
  await removeAbandoned();
  const folder = await mkdtemp(join(tmpdir(), "pawl-codex-"));
  await writeFile(join(dir, NOTE), folder);
  return join(folder, SOCKET);
}

export async function removeSocket(dir: string): Promise<void> {
  const folder = await readUntrusted(join(dir, NOTE), NOTE_MAX_BYTES);
  // Only what `socketPath` has made.
  if (folder !== undefined && /\/pawl-codex-\w+$/.test(folder)) {
    await rm(folder, { recursive: true, force: true });
  }
  await rm(join(dir, "codex.sock"), { force: true });
}

/** Folders of killed lives: their sockets refuse every connection. Those of other users stay. */
async function removeAbandoned(): Promise<void> {
  const sockets = globSync(`pawl-codex-*/${SOCKET}`, { cwd: tmpdir() });
  for (const path of sockets.map((name) => join(tmpdir(), name))) {
    if (await isAbandoned(path)) await rm(join(path, ".."), { recursive: true, force: true });
  }
}

function isAbandoned(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once("connect", () => {
      socket.destroy();
      resolve(false);
    });
    socket.once("error", (error) => resolve(hasCode(error, ["ECONNREFUSED"])));
  });
}
