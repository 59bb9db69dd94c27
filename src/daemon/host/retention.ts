// Bounds what runs leave on disk: terminal logs keep their end, and the folders of runs that ended
// long ago go. Checkpoints and branches are git's and are not touched here.
import { spawn } from "node:child_process";
import { open, rename, rm } from "node:fs/promises";
import { removeTree } from "../../adapters/shared/folder.ts";
import { openUntrusted } from "../../adapters/shared/untrusted-file.ts";
import { livingRuns } from "../views/find-runs.ts";
import { eachAlone } from "./each-alone.ts";
import type { Factory } from "./factory.ts";
import type { Log } from "./log.ts";
import { pastRuns } from "./past-runs.ts";

export const LOG_MAX_BYTES = 20_000_000;
const LOG_KEPT_BYTES = 5_000_000;
const KEEP_RUN_MS = 30 * 24 * 60 * 60_000;

export async function cutLogs(factory: Factory, log: Log): Promise<void> {
  const { paths, store, ports } = factory;
  const now = ports.clock.now();
  // A living log is written by tmux: cutting it by rename would lose what comes next.
  for (const { project, id, endedAt } of await pastRuns({ store, paths })) {
    const isOld = (endedAt ?? now) < now - KEEP_RUN_MS;
    const path = isOld ? paths.run(project, id) : paths.paneLog(project, id);
    try {
      await (isOld ? removeTree(path) : cutToEnd(path));
    } catch (error) {
      log.error({ path, error: String(error) }, "cannot remove or cut what a past run has left");
    }
  }
  // The daemon log is held open by its writer and is cut by the keeper between two lives.
}

/** Logs of living sessions: the room of their beginning is freed under the program that writes them. */
export async function freeLivingLogs(factory: Pick<Factory, "paths" | "store">): Promise<void> {
  const { paths, store } = factory;
  await eachAlone(await livingRuns(store), ({ project, id }) =>
    freeBeginning(paths.paneLog(project, id)),
  );
}

/**
 * The end stays where it is in the file, and so does the writer, which only appends: neither its next
 * byte nor a follower's place is touched, whenever this process is killed. Where the file system or
 * the machine cannot do that, the log is cut when its run is over.
 */
export async function freeBeginning(path: string): Promise<void> {
  const file = await openUntrusted(path);
  if (file === undefined) return;
  try {
    const { size, blocks, nlink } = await file.stat();
    // A second name may be a file of the user's.
    if (blocks * BLOCK_BYTES <= LOG_MAX_BYTES || nlink > 1) return;
    await punchHole(file.fd, size - LOG_KEPT_BYTES);
  } finally {
    await file.close();
  }
}

const BLOCK_BYTES = 512;

/** Through the opened file: what its name means may have changed. */
function punchHole(fd: number, length: number): Promise<void> {
  const words = ["--punch-hole", "--offset", "0", "--length", String(length), "/proc/self/fd/3"];
  return new Promise((resolve) => {
    const child = spawn("fallocate", words, { stdio: ["ignore", "ignore", "ignore", fd] });
    child.once("error", () => resolve());
    child.once("exit", () => resolve());
  });
}

export async function cutToEnd(path: string): Promise<void> {
  const file = await openUntrusted(path);
  if (file === undefined) return;
  try {
    const { size } = await file.stat();
    if (size <= LOG_MAX_BYTES) return;
    const end = Buffer.alloc(LOG_KEPT_BYTES);
    await file.read(end, 0, LOG_KEPT_BYTES, size - LOG_KEPT_BYTES);
    await rm(`${path}.tmp`, { force: true });
    const shorter = await open(`${path}.tmp`, "wx", 0o600);
    await shorter.writeFile(end);
    await shorter.close();
    await rename(`${path}.tmp`, path);
  } finally {
    await file.close();
  }
}
