// Keeps PAWL_HOME within the bound of factory.toml (`[home] max_gb`). What goes is rebuilt, or is a
// record of what is over: first the logs of runs that ended, the oldest first, then checkpoints of work
// that landed, caches, and all backups of the journal but the newest. A workspace, a checkpoint of work
// that has not landed, a branch and the journal are never touched. Where the bound cannot be met like
// that, people are told once what takes the room. Each step may be cut short by a crash: the next round
// measures again.
import { renameSync } from "node:fs";
import { mkdir, readdir, readFile, rm } from "node:fs/promises";
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
import { removeTree } from "../../adapters/shared/folder.ts";
import { backupsIn } from "./backups-in.ts";
import { eachAlone } from "./each-alone.ts";
import { homeTriedAt, tellHomeProblem, type HomeProblem } from "./home-problem.ts";
import { pastRuns } from "./past-runs.ts";
import type { Paths } from "./paths.ts";

const MEASURE_MAX_MS = 120_000;
const DAY_MS = 24 * 60 * 60_000;
/** Checkpoints of landed work are kept at least so long, for a person who looks for a lost file. */
const LANDED_MIN_MS = DAY_MS;

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

/** `isUpkeep`: comes every hour, and does not repeat in vain what costs much. */
type How = { signal?: AbortSignal; isUpkeep?: boolean };

/** What PAWL_HOME takes, part by part; undefined where that cannot be told in time. */
async function measure(
  paths: Pick<Paths, "home" | "backups">,
  maxBytes: number,
  { signal }: How,
): Promise<HomeUse | undefined> {
  const how = { maxMs: MEASURE_MAX_MS, ...(signal === undefined ? {} : { signal }) };
  const parts = await sizesOf(paths, how);
  if (parts.length === 0) return undefined;
  const bytes = parts.reduce((sum, part) => sum + part.bytes, 0);
  return { home: paths.home, bytes, maxBytes, parts };
}

/** `freed`: bytes; `why`: what people are told where the bound is not met. */
type Bounded = { freed: number; why?: string; isUnknown?: true };

/** What fails keeps the rest from nothing; its error is thrown at the end. */
export async function boundHome(place: BoundPlace, how: How = {}): Promise<Bounded> {
  let bounded: Bounded = { freed: 0 };
  const steps = [
    () => clearMovedAside(place, how),
    async () => {
      bounded = await keepBound(place, how);
    },
  ];
  await eachAlone(steps, (step) => step());
  return bounded;
}

async function keepBound(place: BoundPlace, how: How): Promise<Bounded> {
  const read = await factorySettings(place.paths);
  if (read.kind === "invalid") {
    const why = `the size limit of PAWL_HOME is not enforced: ${read.problem}`;
    await report(place, { why });
    return { freed: 0, why };
  }
  const { homeMaxBytes: maxBytes } = read.settings;
  if (maxBytes === undefined) {
    await report(place, undefined);
    return { freed: 0 };
  }
  return keepWithin(place, maxBytes, how);
}

/** Where the size cannot be told, or the daemon ends, what was found last stays the answer. */
async function keepWithin(place: BoundPlace, maxBytes: number, how: How): Promise<Bounded> {
  const first = await measure(place.paths, maxBytes, how);
  const triedAt = await triedToday(place);
  const isSpared = how.isUpkeep === true && triedAt !== undefined;
  const errors: unknown[] = [];
  const end = (bounded: Bounded): Bounded => {
    if (errors.length > 0) throw errors[0];
    return bounded;
  };
  let now = first;
  for (const { free, isCostly } of STEPS) {
    if (how.signal?.aborted === true) return end({ freed: 0 });
    if (now === undefined) return end({ freed: 0, isUnknown: true });
    if (now.bytes <= maxBytes) break;
    if (isSpared && isCostly) continue;
    await free(place, now.bytes - maxBytes, how).catch((error: unknown) => errors.push(error));
    now = await measure(place.paths, maxBytes, how);
  }
  if (how.signal?.aborted === true) return end({ freed: 0 });
  if (first === undefined || now === undefined) return end({ freed: 0, isUnknown: true });
  const freed = first.bytes - now.bytes;
  if (now.bytes <= maxBytes) {
    await report(place, undefined);
    return end({ freed });
  }
  const why = homeOver(now);
  await report(place, { why, triedAt: isSpared ? triedAt : place.ports.clock.now() });
  return end({ freed, why });
}

/** When a round of the last day ended over the bound, whatever it removed. */
async function triedToday({ store, ports }: BoundPlace): Promise<number | undefined> {
  const at = await homeTriedAt(store);
  return at !== undefined && Math.abs(ports.clock.now() - at) < DAY_MS ? at : undefined;
}

type Step = {
  free: (place: BoundPlace, excess: number, how: How) => Promise<void>;
  /** Reads every hub, or makes every check start cold. */
  isCostly: boolean;
};

const STEPS: Step[] = [
  { free: freeLogs, isCostly: false },
  { free: freeLanded, isCostly: true },
  { free: freeCaches, isCostly: true },
  { free: freeBackups, isCostly: false },
];

/** So many fit into one command and its answer. */
const FOLDERS_AT_ONCE = 500;

/** Folders of runs that ended, until enough is free: terminal logs, letters, hooks. */
async function freeLogs(
  { store, paths }: BoundPlace,
  excess: number,
  { signal }: How,
): Promise<void> {
  const ended = (await pastRuns({ store, paths })).toSorted(
    (a, b) => (a.endedAt ?? 0) - (b.endedAt ?? 0),
  );
  const folders = ended.map(({ project, id }) => paths.run(project, id));
  const portions = Array.from({ length: Math.ceil(folders.length / FOLDERS_AT_ONCE) }, (_, at) =>
    folders.slice(at * FOLDERS_AT_ONCE, (at + 1) * FOLDERS_AT_ONCE),
  );
  let freed = 0;
  const isEnough = (): boolean => freed >= excess || signal?.aborted === true;
  await eachAlone(portions, async (some) => {
    if (isEnough()) return;
    const sizes = await diskUse(some, { maxMs: MEASURE_MAX_MS, signal });
    await eachAlone(some, async (folder) => {
      if (sizes === undefined || isEnough()) return;
      await removeTree(folder);
      freed += sizes.get(folder) ?? 0;
    });
  });
}

/** What the chains held goes when it is 30 days old; a folder that was restored has its own copy. */
async function freeLanded(
  { store, ports }: BoundPlace,
  _excess: number,
  { signal }: How,
): Promise<void> {
  const now = ports.clock.now();
  const how = signal === undefined ? {} : { signal };
  await eachAlone(await projectsIn(store), async ({ name }) => {
    if (signal?.aborted === true) return;
    const { checkpoints } = await ports.project(name);
    await checkpoints?.thin({ now, landedMaxMs: LANDED_MIN_MS });
    await checkpoints?.tidy({ now, sweep: true, ...how });
  });
}

/** Of the checks: checkouts with their kept folders, and logs. They are made again when needed. */
const CACHES = ["checkouts", "tmp", "logs"];

async function freeCaches(
  { store, paths, engine }: BoundPlace,
  _excess: number,
  how: How,
): Promise<void> {
  for (const { name } of await projectsIn(store)) {
    if (how.signal?.aborted === true) return;
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
  await clearMovedAside({ store, paths }, how);
}

const isChecking = ({ outbox }: BoundPlace["engine"], name: ProjectName): boolean =>
  outbox
    .pending()
    .some(
      ({ aggregate, effect }) => projectOf(aggregate) === name && effect.kind.startsWith("check-"),
    );

const asideOf = (paths: Paths, name: ProjectName): string =>
  join(dirname(paths.checks(name)), "removing");

async function clearMovedAside(
  { store, paths }: Pick<BoundPlace, "store" | "paths">,
  { signal }: How,
): Promise<void> {
  await eachAlone(await projectsIn(store), async ({ name }) => {
    if (signal?.aborted !== true) await removeTree(asideOf(paths, name));
  });
}

/** The newest stays: it is what `pawl doctor --fix` restores a damaged journal from. */
async function freeBackups({ paths, ports }: BoundPlace): Promise<void> {
  const [, ...older] = await backupsIn(paths.backups, ports.clock.now());
  for (const { path } of older) await rm(path, { force: true });
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
  problem: HomeProblem | undefined,
): Promise<void> {
  const at = ports.clock.now();
  if (!(await tellHomeProblem(engine, problem))) return;
  for (const { name: project } of await projectsIn(store)) {
    const title = "PAWL_HOME is over its size limit";
    const key = `home-over:${at}:${project}`;
    await ports.notifier.notify({
      key,
      project,
      severity: "warning",
      title,
      body: problem?.why ?? "",
    });
  }
}
