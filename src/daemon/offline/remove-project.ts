// Removes a project from the factory, where no daemon runs. Its workspaces are saved first; work that
// has not landed is kept in a folder of its own. The journal forgets the project before its files go: a
// crash in between leaves a folder, and the same command removes that.
import { existsSync } from "node:fs";
import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { RemovalView } from "../../api/removal.ts";
import * as field from "../../config/fields.ts";
import { projectAggregate, projectName, runId, type ProjectName } from "../../core/ids.ts";
import type { Project } from "../../core/project/project.ts";
import { noCrash } from "../../lib/crash-point.ts";
import { ifThere } from "../../lib/if-there.ts";
import { OperationError } from "../../lib/operation-error.ts";
import type { StoreReader } from "../../ports/store.ts";
import { createMemoryStore } from "../../store/memory.ts";
import { openReadOnly } from "../../store/sqlite/open.ts";
import { removeProjectRows } from "../../store/sqlite/remove-project.ts";
import { crashPointFrom } from "../engine/crash-at.ts";
import type { Ports } from "../engine/ports.ts";
import { saveAndRemove } from "../host/expire-workspaces.ts";
import { everyProject, openFactory, type Factory, type FactoryPlace } from "../host/factory.ts";
import { noLog } from "../host/no-log.ts";
import { pathsOf, type Paths } from "../host/paths.ts";
import { createPorts } from "../host/wire.ts";
import { foldUsageOf } from "../sessions/usage.ts";
import { livingRuns, runNamed } from "../views/find-runs.ts";
import { findLives } from "../views/orphans.ts";
import { changedNothing } from "./changed-nothing.ts";
import { readOnly } from "./read-only-store.ts";

type Opened = { store: StoreReader; ports: Ports; paths: Paths };

export const planRemoval = (place: FactoryPlace, name: string): Promise<RemovalView> =>
  reading(place, async (opened) => (await plan(opened, projectName(name))).view);

/** Of all that have a folder: only there is work that can be lost. */
export const planRemovals = (place: FactoryPlace): Promise<RemovalView[]> =>
  reading(place, async (opened) => {
    const folders = (await ifThere(readdir(opened.paths.projects))) ?? [];
    const views: RemovalView[] = [];
    for (const name of folders.filter(canBeName).toSorted()) {
      views.push((await plan(opened, projectName(name))).view);
    }
    return views;
  });

/** Without those that changed nothing: of them nothing can be lost. */
async function worksOf(
  opened: Opened,
  project: ProjectName,
  identities: readonly string[],
): Promise<string[]> {
  const works: string[] = [];
  for (const identity of identities) {
    if (!(await isNothing(opened, { project, identity }))) works.push(identity);
  }
  return works;
}

/** What git cannot tell, as in a project without a usable configuration, may be work. */
async function isNothing(
  opened: Opened,
  whose: { project: ProjectName; identity: string },
): Promise<boolean> {
  try {
    return await changedNothing(opened, whose);
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    return false;
  }
}

async function reading<T>(place: FactoryPlace, read: (opened: Opened) => Promise<T>): Promise<T> {
  const paths = pathsOf(place.home, place.runtime);
  const store: StoreReader = (await openReadOnly(paths.journal)) ?? createMemoryStore();
  try {
    const ports = await createPorts({ store: readOnly(store), paths, crash: noCrash, log: noLog });
    return await read({ store, ports, paths });
  } finally {
    await store.close();
  }
}

export async function removeProject(place: FactoryPlace, asked: string): Promise<RemovalView> {
  const name = projectName(asked);
  const crash = crashPointFrom(process.env);
  const none = { scope: everyProject, wants: () => false, daemon: null };
  const factory = await openFactory({ ...place, ...none, log: noLog, crash });
  try {
    const { view: before } = await plan(factory, name);
    if (before.agents.length > 0) throw atWork(name, before.agents);
    await saveWorkspaces(factory, name);
    // What is in a workspace may be saved only now: it is asked again what has not landed.
    const { view, saved } = await plan(factory, name);
    await factory.store.backup(join(await made(factory.paths.backups), `pawl-${Date.now()}.db`));
    await foldUsageOf(factory.store, name);
    removeProjectRows(factory.paths.journal, name);
    await keep(factory.paths, name, { kept: view.kept, hasHub: saved.length > 0 });
    await rm(factory.paths.project(name), { recursive: true, force: true });
    // Without its workspace, an agent with a commit elsewhere may look as if it had changed nothing.
    const named = new Set([...before.unlanded, ...view.unlanded]);
    return { ...view, unlanded: saved.filter((identity) => named.has(identity)), removed: true };
  } finally {
    await factory.close();
  }
}

/** `saved`: all whose checkpoints keep the hub, also those that changed nothing. */
type Plan = { view: RemovalView; saved: string[] };

async function plan(opened: Opened, name: ProjectName): Promise<Plan> {
  const { store, paths } = opened;
  const project = await known(opened, name);
  const saved = await unlandedIn(opened, name);
  const restored = (await ifThere(readdir(paths.restored(name)))) ?? [];
  const isKept = saved.length + restored.length > 0;
  const view: RemovalView = {
    project: name,
    root: project?.root ?? null,
    removed: false,
    paths: [paths.project(name)],
    lost: [
      ...(await losses(store, project)),
      // With work that has not landed the whole hub is kept.
      ...(saved.length > 0 ? [] : await landedIn(opened, name)),
    ],
    agents: await agentsOf(opened, name),
    unlanded: await worksOf(opened, name, saved),
    restored: restored.length > 0 ? paths.restored(name) : null,
    kept: isKept ? join(paths.removed, `${name}-${stamp(opened.ports.clock.now())}`) : null,
  };
  return { view, saved };
}

/** Undefined where an earlier removal got as far as its files. */
async function known({ store, paths }: Opened, name: ProjectName): Promise<Project | undefined> {
  const state = (await store.load(projectAggregate(name)))?.state;
  if (state?.kind === "project") return state;
  // Only what can be the name of a project: any other could lead out of the folder of projects.
  if (canBeName(name) && existsSync(paths.project(name))) return undefined;
  throw new OperationError(`there is no project "${name}"`, {
    code: "no-project",
    hint: "`pawl project list` lists all projects",
  });
}

const canBeName = (name: string): boolean => field.projectName().safeParse(name).success;

async function losses(store: StoreReader, project: Project | undefined): Promise<string[]> {
  if (project === undefined) return [];
  const runs = (await livingRuns(store, project.name)).length;
  const open = project.backlog.length;
  const isOwn = project.config?.forge === undefined;
  return [
    ...(isOwn ? [`its issues in Pawl's own tracker (${open} open)`] : []),
    ...(runs > 0 ? [`the state of ${runs} ${runs === 1 ? "run" : "runs"} under way`] : []),
    "its history, signals and logs",
  ];
}

async function agentsOf(opened: Opened, name: ProjectName): Promise<string[]> {
  const lives = (await findLives(opened)).filter(({ marks }) => marks.project === name);
  const names = lives.map(async ({ marks, tmuxSession }) => {
    const run = await runNamed(opened.store, name, runId(marks.run));
    return run?.identity ?? tmuxSession ?? `run-${marks.run}`;
  });
  return [...new Set(await Promise.all(names))].toSorted();
}

/** A hub that cannot be asked, because the project has no usable configuration, is kept. */
async function unlandedIn({ ports, paths }: Opened, name: ProjectName): Promise<string[]> {
  if (!existsSync(paths.hub(name))) return [];
  try {
    const { checkpoints } = await ports.project(name);
    return (await checkpoints?.identities()) ?? [];
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    return ["unknown"];
  }
}

/** The work itself is on the target: only the way to it is lost, and is named. */
async function landedIn({ ports, paths }: Opened, name: ProjectName): Promise<string[]> {
  if (!existsSync(paths.hub(name))) return [];
  try {
    const landed = (await (await ports.project(name)).checkpoints?.landed()) ?? [];
    return landed.length === 0 ? [] : [`the checkpoints of landed work (${landed.join(", ")})`];
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    return [];
  }
}

/** Every workspace becomes a checkpoint of the hub. Others of its folder are halves of such ones. */
async function saveWorkspaces(factory: Factory, name: ProjectName): Promise<void> {
  const { paths, store } = factory;
  const folder = dirname(paths.workspace(name, "any"));
  for (const identity of (await ifThere(readdir(folder))) ?? []) {
    const run = await runNamed(store, name, identity);
    if (run !== undefined) {
      await saveAndRemove(factory, { run, path: paths.workspace(name, identity) });
    }
  }
  const left = ((await ifThere(readdir(folder))) ?? []).filter((one) => !one.endsWith(".new"));
  if (left.length === 0) return;
  const shown = left.map((one) => join(folder, one)).join(", ");
  throw new OperationError(`cannot remove project ${name}: ${shown} cannot be saved completely`, {
    code: "in-use",
    hint: "copy what you need from there and remove the folder, then run this again",
  });
}

type Kept = Pick<RemovalView, "kept"> & { hasHub: boolean };

async function keep(paths: Paths, name: ProjectName, { kept, hasHub }: Kept): Promise<void> {
  if (kept === null) return;
  await made(kept);
  const parts = [
    ...(hasHub ? [[paths.hub(name), "hub.git"] as const] : []),
    [paths.restored(name), "restored"] as const,
  ];
  for (const [from, to] of parts) {
    if (existsSync(from)) await rename(from, join(kept, to));
  }
}

async function made(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return folder;
}

/** `20260301-120000` */
const stamp = (at: number): string =>
  new Date(at).toISOString().replaceAll(/[-:]/g, "").replace("T", "-").slice(0, 15);

const atWork = (name: string, agents: readonly string[]): OperationError =>
  new OperationError(`cannot remove project ${name}: still at work: ${agents.join(", ")}`, {
    code: "in-use",
    hint: "end its agents with `pawl stop N`, or all agents with `pawl down --kill-agents`",
  });
