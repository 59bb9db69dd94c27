// Keeps PAWL_HOME within the bound of factory.toml (`[home] max_gb`). What goes is rebuilt, or is a
// record of what is over: first the logs of runs that ended, the oldest first, then checkpoints of work
// that landed, caches, and all backups of the journal but the newest. A workspace, a checkpoint of work
// that has not landed, a branch and the journal are never touched. Where the bound cannot be met like
// that, people are told once what takes the room. Each step may be cut short by a crash: the next round
// measures again.
import { renameSync } from "node:fs";
import { mkdir, readdir, readFile, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import {
  FACTORY_FILE,
  parseFactorySettings,
  type ReadSettings,
} from "../../config/factory-settings.ts";
import type { ProjectName } from "../../core/ids.ts";
import { projectOf } from "../../core/ids.ts";
import type { Project } from "../../core/project/project.ts";
import { homeOver, type HomeUse } from "../../core/words/home-size.ts";
import { ifThere } from "../../lib/if-there.ts";
import type { StoreReader } from "../../ports/store.ts";
import { diskUse, sizesOf } from "../doctor/sizes.ts";
import type { Engine } from "../engine/engine.ts";
import type { Ports } from "../engine/ports.ts";
import { tellHomeProblem } from "./home-problem.ts";
import { pastRuns } from "./past-runs.ts";
import type { Paths } from "./paths.ts";

const MEASURE_MAX_MS = 120_000;
const DAY_MS = 24 * 60 * 60_000;
/** Checkpoints of landed work are kept at least so long, for a person who looks for a lost file. */
const LANDED_MIN_MS = DAY_MS;
/** A program that writes to the hub has its objects named by then. */
const SWEEP_MARGIN_MS = DAY_MS;

export type BoundPlace = {
  store: StoreReader;
  paths: Paths;
  ports: Ports;
  engine: Pick<Engine, "outbox" | "transaction">;
};

export async function factorySettings({ home }: Pick<Paths, "home">): Promise<ReadSettings> {
  const text = await ifThere(readFile(join(home, FACTORY_FILE), "utf8"));
  return text === undefined ? { kind: "valid", settings: {} } : parseFactorySettings(text);
}

/** What PAWL_HOME takes, part by part; undefined where that cannot be told in time. */
async function measure(
  paths: Pick<Paths, "home" | "backups">,
  maxBytes: number,
): Promise<HomeUse | undefined> {
  const parts = await sizesOf(paths, MEASURE_MAX_MS);
  if (parts.length === 0) return undefined;
  const bytes = parts.reduce((sum, part) => sum + part.bytes, 0);
  return { home: paths.home, bytes, maxBytes, parts };
}

/** `freed`: bytes; `why`: what people are told where the bound is not met. */
export async function boundHome(place: BoundPlace): Promise<{ freed: number; why?: string }> {
  await clearMovedAside(place);
  const read = await factorySettings(place.paths);
  if (read.kind === "invalid") {
    const why = `the bound of PAWL_HOME is not kept: ${read.problem}`;
    await report(place, why);
    return { freed: 0, why };
  }
  const { homeMaxBytes: maxBytes } = read.settings;
  const first = maxBytes === undefined ? undefined : await measure(place.paths, maxBytes);
  if (maxBytes === undefined || first === undefined) {
    await report(place, undefined);
    return { freed: 0 };
  }
  let now: HomeUse = first;
  for (const free of STEPS) {
    if (now.bytes <= maxBytes) break;
    await free(place, now.bytes - maxBytes);
    now = (await measure(place.paths, maxBytes)) ?? now;
  }
  const why = now.bytes <= maxBytes ? undefined : homeOver(now);
  await report(place, why);
  return { freed: first.bytes - now.bytes, ...(why === undefined ? {} : { why }) };
}

type Step = (place: BoundPlace, excess: number) => Promise<void>;

const STEPS: Step[] = [freeLogs, freeLanded, freeCaches, freeBackups];

/** Folders of runs that ended, until enough is free: terminal logs, letters, hooks. */
async function freeLogs({ store, paths }: BoundPlace, excess: number): Promise<void> {
  const ended = (await pastRuns({ store, paths })).toSorted(
    (a, b) => (a.endedAt ?? 0) - (b.endedAt ?? 0),
  );
  const folders = ended.map(({ project, id }) => paths.run(project, id));
  const sizes = folders.length === 0 ? undefined : await diskUse(folders, MEASURE_MAX_MS);
  let freed = 0;
  for (const folder of folders) {
    if (sizes === undefined || freed >= excess) return;
    await rm(folder, { recursive: true, force: true });
    freed += sizes.get(folder) ?? 0;
  }
}

async function freeLanded({ store, paths, ports }: BoundPlace): Promise<void> {
  const now = ports.clock.now();
  for (const { name } of await projectsIn(store)) {
    const { checkpoints } = await ports.project(name);
    await checkpoints?.thin({ now, landedMaxMs: LANDED_MIN_MS });
    const since = await oldestWorkspace(paths, name);
    const sweepBefore = Math.min(now, since ?? now) - SWEEP_MARGIN_MS;
    await checkpoints?.tidy({ now, sweepBefore });
  }
}

/**
 * When the oldest workspace of a project was made: it may borrow what the hub has got since. Undefined
 * where there is none.
 */
async function oldestWorkspace(paths: Paths, name: ProjectName): Promise<number | undefined> {
  const folders = [dirname(paths.workspace(name, "any")), paths.restored(name)];
  const made: number[] = [];
  for (const folder of folders) {
    for (const child of (await ifThere(readdir(folder))) ?? []) {
      const found = await ifThere(stat(join(folder, child)));
      if (found !== undefined) made.push(found.birthtimeMs);
    }
  }
  return made.length === 0 ? undefined : Math.min(...made);
}

/** Of the checks: checkouts with their kept folders, and logs. They are made again when needed. */
const CACHES = ["checkouts", "tmp", "logs"];

async function freeCaches({ store, paths, engine }: BoundPlace): Promise<void> {
  for (const { name } of await projectsIn(store)) {
    const checks = paths.checks(name);
    const aside = asideOf(paths, name);
    await mkdir(aside, { recursive: true });
    const found = (await ifThere(readdir(checks))) ?? [];
    // From here on without a pause: a check that begins is in the outbox before it uses a folder.
    if (isChecking(engine, name)) continue;
    for (const cache of CACHES.filter((one) => found.includes(one))) {
      renameSync(join(checks, cache), join(aside, cache));
    }
  }
  await clearMovedAside({ store, paths });
}

const isChecking = ({ outbox }: BoundPlace["engine"], name: ProjectName): boolean =>
  outbox
    .pending()
    .some(
      ({ aggregate, effect }) => projectOf(aggregate) === name && effect.kind.startsWith("check-"),
    );

const asideOf = (paths: Paths, name: ProjectName): string =>
  join(dirname(paths.checks(name)), "removing");

async function clearMovedAside({
  store,
  paths,
}: Pick<BoundPlace, "store" | "paths">): Promise<void> {
  for (const { name } of await projectsIn(store)) {
    await rm(asideOf(paths, name), { recursive: true, force: true });
  }
}

/** The newest stays: it is what `pawl doctor --fix` restores a damaged journal from. */
async function freeBackups({ paths }: BoundPlace): Promise<void> {
  const names = ((await ifThere(readdir(paths.backups))) ?? []).filter((name) =>
    /^pawl-\d+\.db$/.test(name),
  );
  for (const name of names.toSorted().slice(0, -1)) {
    await rm(join(paths.backups, name), { force: true });
  }
}

async function projectsIn(store: Pick<StoreReader, "aggregates">): Promise<Project[]> {
  const stored = await store.aggregates({ kind: "project", isBrief: true });
  return stored.flatMap(({ state }) =>
    state.kind === "project" && state.config !== undefined ? [state] : [],
  );
}

/** Kept for `pawl status`, and brought to people when it is new. */
async function report(
  { store, ports, engine }: BoundPlace,
  why: string | undefined,
): Promise<void> {
  const at = ports.clock.now();
  if (!(await tellHomeProblem(engine, why))) return;
  for (const { name: project } of await projectsIn(store)) {
    const title = "PAWL_HOME is over its bound";
    const key = `home-over:${at}:${project}`;
    await ports.notifier.notify({ key, project, severity: "warning", title, body: why ?? "" });
  }
}
