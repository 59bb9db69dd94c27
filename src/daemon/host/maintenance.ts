// What keeps a factory small and recoverable while it runs for months: the journal is folded,
// backed up and the backups rotated, logs are cut, and a heartbeat shows that a daemon runs.
import { mkdir, readdir, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { errorCode } from "../../lib/error-code.ts";
import { boundHome } from "./bound-home.ts";
import { expireRecords } from "./expire-records.ts";
import { expireWorkspaces } from "./expire-workspaces.ts";
import type { Factory } from "./factory.ts";
import type { Log } from "./log.ts";
import { cutLogs, freeLivingLogs } from "./retention.ts";

const HEARTBEAT_MS = 10_000;
/** A program that prints without end fills a disk within the hour. */
const LOGS_MS = 60_000;
const CHORES_MS = 60 * 60_000;
const KEEP_EVENTS_MS = 7 * 24 * 60 * 60_000;
const BACKUP_EVERY_MS = 24 * 60 * 60_000;
const BACKUPS_MAX = 5;

export function startMaintenance(factory: Factory, log: Log): { close(): Promise<void> } {
  const { clock } = factory.ports;
  const ending = new AbortController();
  const { signal } = ending;
  const everyMs = (ms: number, what: string, work: () => Promise<void>) => {
    let underWay = Promise.resolve();
    const begin = (): void => {
      underWay = work()
        .catch((error: unknown) => {
          if (!signal.aborted) log.error({ error: String(error) }, what);
        })
        .finally(() => {
          if (!signal.aborted) timer = clock.after(ms, begin);
        });
    };
    let timer = clock.after(0, begin);
    return async (): Promise<void> => {
      timer.cancel();
      await underWay;
    };
  };
  const stopBeating = everyMs(HEARTBEAT_MS, "cannot write the heartbeat", () =>
    touch(factory.paths.heartbeat),
  );
  let isFirst = true;
  const stopLogs = everyMs(LOGS_MS, "cannot cut logs", async () => {
    if (!isFirst) await freeLivingLogs(factory);
    isFirst = false;
  });
  const kept = new Set<string>();
  const stopChores = everyMs(CHORES_MS, "a chore failed", () =>
    doChores(factory, { log, signal, kept }),
  );

  return {
    // The journal is closed after this: nothing that reads it may still be under way.
    close: async () => {
      ending.abort();
      await Promise.all([stopBeating(), stopLogs(), stopChores()]);
      await rm(factory.paths.heartbeat, { force: true });
    },
  };
}

type Chore = { what: string; work: () => Promise<void> };

/** One that fails, as on a full disk, must not keep those that free space from their turn. */
async function doChores(
  factory: Factory,
  { log, signal, kept }: { log: Log; signal: AbortSignal; kept: Set<string> },
): Promise<void> {
  const now = factory.ports.clock.now();
  const chores: Chore[] = [
    { what: "fold the journal", work: () => fold(factory, now, log) },
    { what: "remove old records", work: () => expire(factory, now) },
    { what: "cut the logs of past runs", work: () => cutLogs(factory, log) },
    { what: "remove old workspaces", work: () => expireWorkspaces(factory, { now, log, kept }) },
    { what: "tidy the hubs", work: () => tidyHubs(factory, log, signal) },
    { what: "back up the journal", work: () => backUp(factory, now) },
    // The last: what the others free is not looked for twice, and a backup counts.
    { what: "keep PAWL_HOME within its size", work: () => keepBound(factory, log, signal) },
  ];
  for (const { what, work } of chores) {
    if (signal.aborted) return;
    try {
      await work();
    } catch (error) {
      if (!signal.aborted) log.error({ error: String(error) }, `cannot ${what}`);
    }
  }
}

async function fold({ store }: Factory, now: number, log: Log): Promise<void> {
  const { removed } = await store.prune({ before: now - KEEP_EVENTS_MS });
  if (removed > 0) log.info({ removed }, "the journal was folded");
}

async function expire({ store }: Factory, now: number): Promise<void> {
  const known = await store.aggregates({ kind: "project", isBrief: true });
  const projects = known.flatMap(({ state }) => (state.kind === "project" ? [state.name] : []));
  await expireRecords(store, { projects, now });
}

async function keepBound(factory: Factory, log: Log, signal: AbortSignal): Promise<void> {
  const { freed, why, isUnknown } = await boundHome(factory, { signal, isUpkeep: true });
  if (freed > 0) log.info({ freed }, "space was freed in PAWL_HOME");
  if (why !== undefined) log.warn({ why }, "the size limit of PAWL_HOME is not enforced");
  if (isUnknown === true) log.warn({}, "PAWL_HOME could not be measured, so nothing was removed");
}

/** One project that cannot be tidied must not keep the others from it. */
async function tidyHubs(factory: Factory, log: Log, signal: AbortSignal): Promise<void> {
  const { ports, store } = factory;
  const now = ports.clock.now();
  for (const { state } of await store.aggregates({ kind: "project", isBrief: true })) {
    if (signal.aborted) return;
    if (state.kind !== "project" || state.config === undefined) continue;
    try {
      const { checkpoints } = await ports.project(state.name);
      const gone = (await checkpoints?.thin({ now })) ?? 0;
      if (gone > 0) log.info({ project: state.name, gone }, "checkpoints were thinned");
      if (!signal.aborted) await checkpoints?.tidy({ now, signal });
    } catch (error) {
      if (!signal.aborted)
        log.error({ project: state.name, error: String(error) }, "cannot tidy the hub");
    }
  }
}

async function backUp(factory: Factory, now: number): Promise<void> {
  const { backups } = factory.paths;
  await mkdir(backups, { recursive: true, mode: 0o700 });
  const names = (await readdir(backups)).filter((name) => /^pawl-\d+\.db$/.test(name)).toSorted();
  // All are looked at: the clock may have been ahead when the one with the last name was made.
  for (const name of names) {
    if (Math.abs(now - (await stat(join(backups, name))).mtimeMs) < BACKUP_EVERY_MS) return;
  }
  await factory.store.backup(join(backups, `pawl-${now}.db`));
  for (const name of names.slice(0, Math.max(0, names.length + 1 - BACKUPS_MAX))) {
    await rm(join(backups, name), { force: true });
  }
}

async function touch(path: string): Promise<void> {
  const now = new Date();
  try {
    await utimes(path, now, now);
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
    await writeFile(path, `${process.pid}\n`, { mode: 0o600 });
  }
}
