// Where the server of a life listens. A Unix socket's path has at most 107 bytes, and the folder of a
// session may be deeper than that: then a private folder among the temporary files has it, whose name
// stands in the session's folder. A life that was killed leaves it behind, empty but for the socket.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readUntrusted } from "../shared/untrusted-file.ts";

const PATH_MAX_BYTES = 107;
const NOTE = "codex-socket-folder";
const NOTE_MAX_BYTES = 4096;

/** Free to be listened at. */
export async function socketPath(dir: string): Promise<string> {
  const own = join(dir, "codex.sock");
  if (Buffer.byteLength(own) <= PATH_MAX_BYTES) {
    await rm(own, { force: true });
    return own;
  }
  const folder = await mkdtemp(join(tmpdir(), "pawl-codex-"));
  await writeFile(join(dir, NOTE), folder);
  return join(folder, "s");
}

export async function removeSocket(dir: string): Promise<void> {
  const folder = await readUntrusted(join(dir, NOTE), NOTE_MAX_BYTES);
  // Only what `socketPath` has made.
  if (folder !== undefined && /\/pawl-codex-\w+$/.test(folder)) {
    await rm(folder, { recursive: true, force: true });
  }
  await rm(join(dir, "codex.sock"), { force: true });
}
