// The whole output of a session as text, in a file that outlives it. Where it is too large the end
// is kept, because the end says how it went.
import { mkdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { readLifeRecord } from "../../adapters/shared/life-record.ts";
import { writeWhole } from "../../adapters/shared/write-whole.ts";
import { ifThere } from "../../lib/if-there.ts";
import type { MonitorPlace } from "./monitor-place.ts";
import { LOG } from "./spawn-session.ts";
import type { FoundSession } from "./stored-sessions.ts";

const MAX_BYTES = 16 * 1024 * 1024;
const DRAIN_MAX_MS = 2_000;
const DRAIN_LOOK_MS = 15;

export type Exported = { path: string; text: string };

export async function exportOutput(
  place: MonitorPlace,
  session: FoundSession,
  { ended }: { ended: boolean },
): Promise<Exported> {
  if (ended) await whenDrained(place, session);
  const logFile = join(session.dir, LOG);
  const text = await place.files.logTail({ logFile, maxBytes: MAX_BYTES });
  await mkdir(place.outputs, { recursive: true, mode: 0o700 });
  const path = join(place.outputs, `${session.name}.txt`);
  await writeWhole(path, `${text}\n`);
  return { path, text };
}

/** The record of the end is written before tmux has read the last words: its pane goes after. */
async function whenDrained(place: MonitorPlace, session: FoundSession): Promise<void> {
  const life = await readLifeRecord(session.dir);
  const deadline = Date.now() + DRAIN_MAX_MS;
  let size = -1;
  while (life !== undefined && Date.now() < deadline) {
    const panes = await place.terminal.panes();
    const here = panes === "unknown" || panes.some(({ pane }) => pane === life.pane);
    const now = await sizeOf(join(session.dir, LOG));
    if (!here && now === size) return;
    size = now;
    await delay(DRAIN_LOOK_MS);
  }
}

const sizeOf = async (path: string): Promise<number> => (await ifThere(stat(path)))?.size ?? 0;
