// Bounds what runs leave on disk: terminal logs keep their end, and the folders of runs that ended
// long ago go. Checkpoints and branches are git's and are not touched here.
import { open, rename, rm } from "node:fs/promises";
import { openUntrusted } from "../../adapters/shared/untrusted-file.ts";
import type { Factory } from "./factory.ts";
import { pastRuns } from "./past-runs.ts";

export const LOG_MAX_BYTES = 20_000_000;
const LOG_KEPT_BYTES = 5_000_000;
const KEEP_RUN_MS = 30 * 24 * 60 * 60_000;

export async function cutLogs(factory: Factory): Promise<void> {
  const { paths, store, ports } = factory;
  const now = ports.clock.now();
  // Only of runs that are over: a living log is written by tmux, and cutting it by rename would lose
  // what comes next.
  for (const { project, id, endedAt } of await pastRuns({ store, paths })) {
    const isOld = (endedAt ?? now) < now - KEEP_RUN_MS;
    if (isOld) await rm(paths.run(project, id), { recursive: true, force: true });
    else await cutToEnd(paths.paneLog(project, id));
  }
  // The daemon log is held open by its writer and is cut by the keeper between two lives.
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
