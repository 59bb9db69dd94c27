// Whether the gates of plugins are open by what only the outside knows: the hour, a command, a
// signal. It only looks; a check that cannot be run leaves its gate closed and says so in the log.
import { SIGNAL_KINDS } from "../../core/signal.ts";
import { FACTORY, type ProjectName } from "../../core/ids.ts";
import type { FoundPlugin } from "../../core/plugin/plugin-event.ts";
import {
  newPlugins,
  type Plugin,
  type PluginEntry,
  type Plugins,
} from "../../core/plugin/plugin.ts";
import { OperationError } from "../../lib/operation-error.ts";
import type { Store } from "../../ports/store.ts";
import type { Frame } from "../../ports/walls.ts";
import { briefProject } from "../engine/brief-project.ts";
import { toolEnvironment } from "../host/environment.ts";
import type { Paths } from "../host/paths.ts";
import { frameOf } from "../host/walls.ts";
import type { Ports, ProjectPorts } from "../engine/ports.ts";
import { nextInstant } from "../schedule/next-instant.ts";
import { findPlugins, type Found } from "./find-plugins.ts";

const CHECK_MAX_MS = 30_000;

export type GateDeps = {
  store: Store;
  ports: Ports;
  paths: Paths;
  project: ProjectName;
  own: ProjectPorts;
  startedAt: number;
  onError: (error: unknown) => void;
};

export async function lookAtGates(
  deps: GateDeps,
  known: Plugins | undefined,
): Promise<FoundPlugin[]> {
  const { entries } = known ?? newPlugins(deps.project);
  const found = await findPlugins(deps.ports, deps.own);
  const looked: FoundPlugin[] = [];
  for (const one of found) {
    const entry = entries.find(({ name }) => name === one.name);
    looked.push({ ...one, open: await openBy(deps, one, entry) });
  }
  return looked;
}

async function openBy(
  deps: GateDeps,
  { plugin }: Found,
  entry: PluginEntry | undefined,
): Promise<string | undefined> {
  // One that is running or already wanted needs no look; a new one is looked at from now on.
  if (plugin === undefined || entry === undefined) return undefined;
  if (entry.running !== undefined || entry.wanted !== undefined) return undefined;
  switch (plugin.gate.kind) {
    case "cron":
      return cronOpen(plugin.name, {
        when: plugin.gate,
        since: entry.since,
        now: deps.ports.clock.now(),
      });
    case "condition":
      return conditionOpen(deps, plugin, plugin.gate.check);
    case "event":
      return eventOpen(deps, { on: plugin.gate.on, since: entry.since });
    default:
      return undefined;
  }
}

function cronOpen(
  name: string,
  {
    when,
    since,
    now,
  }: { when: Extract<Plugin["gate"], { kind: "cron" }>; since: number; now: number },
): string | undefined {
  const { next } = nextInstant({ name, when, jitterMs: 0, after: since });
  return next !== undefined && next <= now ? `cron ${when.pattern}` : undefined;
}

async function eventOpen(
  { store, project, startedAt }: GateDeps,
  { on, since }: { on: string; since: number },
): Promise<string | undefined> {
  // Every round of the deacon is a heartbeat.
  if (on === "heartbeat") return on;
  if (on === "startup") return startedAt > since ? on : undefined;
  const kind = SIGNAL_KINDS.find((known) => known === on);
  if (kind === undefined) return undefined;
  const projects = [project, FACTORY];
  const newest = await store.signals({ kinds: [kind], projects, limit: 1 });
  return newest.some(({ at }) => at > since) ? on : undefined;
}

/** What comes from the target may be an agent's; undefined where the project wants no walls. */
async function wallsOf({ store, project, paths }: GateDeps): Promise<Frame | undefined> {
  const known = await briefProject(store, project);
  return known && frameOf(known.config, { project, root: known.root, paths });
}

async function conditionOpen(
  deps: GateDeps,
  { name, from }: Plugin,
  check: string[],
): Promise<string | undefined> {
  const { ports, paths, project, own } = deps;
  const folder = `${paths.plugin(project, name)}/check`;
  const [program = "false", ...rest] = check;
  try {
    await ports.commands.clear(folder);
    const commit = await own.git.fetchTarget();
    await own.git.checkout({ commit, path: `${folder}/work`, keep: [], history: false });
    const outcome = await ports.commands.run({
      walls: from === "user" ? undefined : await wallsOf(deps),
      folder: `${folder}/run`,
      argv: [program, ...rest],
      cwd: `${folder}/work`,
      env: { ...toolEnvironment(), PAWL_PROJECT: project, PAWL_PLUGIN: name },
      inputs: {},
      timeoutMs: CHECK_MAX_MS,
      signal: new AbortController().signal,
    });
    return outcome.kind === "exited" && outcome.code === 0 ? "its condition holds" : undefined;
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    deps.onError(error);
    return undefined;
  }
}
