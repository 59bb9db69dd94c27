// One reading of an epoch's folder. It never fails because of what an agent put there; an absent
// folder is an empty one.
import { lstat, readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ifThere } from "../../lib/if-there.ts";
import type { PhaseFile, SessionSnapshot, SpoolFile } from "../../ports/session-files.ts";
import { isThere } from "./is-there.ts";
import { LIFE_FILES, parseExitRecord, parseLifeRecord } from "../shared/life-record.ts";
import { readCapped } from "./capped-read.ts";
import type { Layout } from "./layout.ts";
import { isNestedTooDeep } from "./nesting.ts";

const PHASE_MAX_BYTES = 4 * 1024;
const RESULT_MAX_BYTES = 128 * 1024;
const RECORD_MAX_BYTES = 4 * 1024;
const SPOOL_FILE_MAX_BYTES = 256 * 1024;
const SPOOL_FILES_MAX = 1_000;
/** Of one reading, so that a full spool cannot fill the memory. */
const SPOOL_TOTAL_BYTES = 8 * 1024 * 1024;
const SPOOL_BATCH = 32;
const ACKNOWLEDGED_MAX = 10_000;

export type Reading = SessionSnapshot & {
  /** True where the spool holds more than one reading takes. */
  more: boolean;
  /** Every name in the spool, also those not read. */
  spooled: string[];
};

/** `skip` names spool files that need not be read. */
export async function readSession(
  layout: Layout,
  skip: (name: string) => boolean = () => false,
): Promise<Reading> {
  const record = (name: string) =>
    readCapped(join(layout.dir, name), { maxBytes: RECORD_MAX_BYTES, follow: false });
  // Against the order in which an agent writes: what is read later may only be newer. An exit that
  // is seen comes with everything said before it, and a phase with everything read before it.
  const [exit, life] = [await record(LIFE_FILES.exit), await record(LIFE_FILES.process)];
  const phase = await readPhase(layout);
  const [spool, acknowledged] = await Promise.all([
    readSpool(layout, skip),
    readAcknowledged(layout),
  ]);
  // A life is not over for Pawl while it still has something to say.
  const over = exit !== undefined && !spool.more;
  return {
    phase,
    ...spool,
    acknowledged,
    exit: over ? parseExitRecord(exit.text) : undefined,
    process: life === undefined ? undefined : parseLifeRecord(life.text)?.wrapper,
  };
}

/** An empty file is unwritten: many writers truncate first, and the text brings the next event. */
async function readPhase(layout: Layout): Promise<PhaseFile | undefined> {
  const file = await readCapped(layout.phase, { maxBytes: PHASE_MAX_BYTES, follow: false });
  if (file === undefined || file.text === "") return undefined;
  const result = await readResult(layout);
  return result === undefined ? file : { ...file, result };
}

/** After the phase, which an agent writes last: so that it is never older than the phase. */
async function readResult(layout: Layout): Promise<PhaseFile["result"]> {
  const file = await readCapped(layout.result, { maxBytes: RESULT_MAX_BYTES + 1, follow: false });
  if (file === undefined || file.text.trim() === "" || isNestedTooDeep(file.text)) return undefined;
  return Buffer.byteLength(file.text) > RESULT_MAX_BYTES
    ? { kind: "too-large", maxBytes: RESULT_MAX_BYTES }
    : { kind: "text", text: file.text };
}

async function readSpool(
  layout: Layout,
  skip: (name: string) => boolean,
): Promise<Pick<Reading, "spool" | "more" | "spooled">> {
  const spooled = (await isOwn(layout)) ? await listNames(layout.spoolNew) : [];
  const wanted = spooled.filter((name) => !skip(name)).sort();
  const spool: SpoolFile[] = [];
  let bytes = 0;
  let next = 0;
  while (next < Math.min(wanted.length, SPOOL_FILES_MAX) && bytes < SPOOL_TOTAL_BYTES) {
    const names = wanted.slice(next, Math.min(next + SPOOL_BATCH, SPOOL_FILES_MAX));
    const files = await Promise.all(names.map((name) => readSpoolFile(layout, name)));
    spool.push(...files.flatMap((file) => file ?? []));
    bytes += files.reduce((sum, file) => sum + (file?.text.length ?? 0), 0);
    next += names.length;
  }
  return { spool, more: next < wanted.length, spooled };
}

/** A link in place of the spool would have Pawl read, and report, files of others. */
async function isOwn({ spoolNew }: Layout): Promise<boolean> {
  const folders = [dirname(spoolNew), spoolNew];
  const found = await Promise.all(folders.map((folder) => ifThere(lstat(folder))));
  return found.every((stats) => stats?.isDirectory() === true);
}

/**
 * An entry that is no regular file, or nested too deep, is reported empty, so that the reader refuses and
 * removes it.
 */
async function readSpoolFile(layout: Layout, name: string): Promise<SpoolFile | undefined> {
  const path = join(layout.spoolNew, name);
  const file = await readCapped(path, { maxBytes: SPOOL_FILE_MAX_BYTES, follow: false });
  if (file !== undefined) return { name, text: isNestedTooDeep(file.text) ? "" : file.text };
  return (await isThere(path)) ? { name, text: "" } : undefined;
}

/** Maildir readers may add flags behind a colon. */
async function readAcknowledged(layout: Layout): Promise<string[]> {
  const names = await listNames(layout.inboxCur);
  return names
    .flatMap((name) => /^(.+)\.md(?::.*)?$/.exec(name)?.[1] ?? [])
    .sort()
    .slice(0, ACKNOWLEDGED_MAX);
}

export const listNames = async (folder: string): Promise<string[]> =>
  (await ifThere(readdir(folder))) ?? [];
