// Puts the real adapters behind the ports. Nothing else in the daemon knows which they are. Adapters
// whose every call is asynchronous are loaded when they are first used, because a command that needs
// none of them should not pay for all; a daemon loads them when it starts (load-adapters.ts).
import { dirname } from "node:path";
import type { CheckRecords, RememberedCheck } from "../../adapters/ci-builtin/memory.ts";
import { systemClock } from "../../adapters/clock-system/system-clock.ts";
import { procMachine } from "../../adapters/machine-proc/machine.ts";
import { RUNTIMES } from "../../adapters/runtimes.ts";
import { createRateLimits, type RateLimits } from "../../adapters/shared/http-rate-limit.ts";
import { createSessionFiles } from "../../adapters/session-files/session-files.ts";
import type { ProjectConfig } from "../../core/config.ts";
import { projectName, type ProjectName } from "../../core/ids.ts";
import type { Project } from "../../core/project/project.ts";
import { redactText } from "../../core/redact.ts";
import type { CrashPoint } from "../../lib/crash-point.ts";
import { lazily } from "../../lib/lazily.ts";
import { OperationError } from "../../lib/operation-error.ts";
import type { Firing } from "../../ports/firing.ts";
import { findProgram } from "../../config/find-program.ts";
import type { Agent } from "../../ports/agent.ts";
import type { Runtime } from "../../ports/runtime.ts";
import type { Commands } from "../../ports/commands.ts";
import type { Forge } from "../../ports/forge.ts";
import type { Publisher } from "../../ports/publisher.ts";
import type { SessionGateway } from "../../ports/session-gateway.ts";
import type { Store } from "../../ports/store.ts";
import type { Terminal } from "../../ports/terminal.ts";
import type { UserPlugins } from "../../ports/user-plugins.ts";
import type { Walls } from "../../ports/walls.ts";
import type { Workspaces } from "../../ports/workspace.ts";
import { briefProject } from "../engine/brief-project.ts";
import { toolEnvironment } from "./environment.ts";
import { factoryMarks } from "./factory-id.ts";
import { checksOf } from "./expire-records.ts";
import { createForge, findTokens, gitAccess, type Tokens } from "./forges.ts";
import type { Log } from "./log.ts";
import { createNoticeBoard } from "../notify/notice-board.ts";
import { ADAPTERS } from "./load-adapters.ts";
import type { Paths } from "./paths.ts";
import { gitApart } from "./walls.ts";
import { PORTS } from "../engine/port-crash-points.ts";
import type { Ports, ProjectPorts } from "../engine/ports.ts";
import { heldSecrets, secretNames, type HeldSecrets } from "./held-secrets.ts";
import type { Secrets } from "./secrets.ts";

type Deps = { store: Store; paths: Paths; crash: CrashPoint; log: Log };

type OwnDeps = Deps & {
  config: ProjectConfig;
  upstream: Project["upstream"];
  tokens: Tokens | undefined;
  secrets: Secrets;
  rateLimits: RateLimits;
  walls: Walls;
};

export async function createPorts(deps: Deps): Promise<Ports> {
  const { store, paths, crash, log } = deps;
  const agents = await loadAgents();
  const walls = lazily<Walls>(PORTS.walls, async () => (await ADAPTERS.walls()).createBwrapWalls());
  const held = heldSecrets(paths.home);
  const { secrets } = held;
  const rateLimits = createRateLimits(() => systemClock.now());
  const projects = new Map<ProjectName, { made: string; ports: Promise<ProjectPorts> }>();

  /** Made again when what it was made from has changed. */
  async function project(name: ProjectName): Promise<ProjectPorts> {
    const { config, upstream } = await configured(store, name);
    held.know(secretNames(config));
    const { forge, ci, checkpoints } = config;
    const tokens = forge === undefined ? undefined : await findTokens(forge, secrets);
    const { sparse } = config.workspace;
    const own = [config.target, config.git, ci.slots, ci.server, checkpoints?.fileMb, sparse];
    const made = JSON.stringify([...own, upstream, forge, tokens, config.isolation?.mode]);
    const known = projects.get(name);
    if (known?.made === made) return known.ports;
    // Known before they are made: two that ask at once must not each get a git of their own, because
    // what one of them does alone the other would do beside it.
    const ports = projectPorts(name, {
      ...deps,
      config,
      upstream,
      tokens,
      secrets,
      rateLimits,
      walls,
    });
    projects.set(name, { made, ports });
    ports.catch(() => {
      if (projects.get(name)?.ports === ports) projects.delete(name);
    });
    return ports;
  }

  return {
    ...lazyPorts(deps, held, walls),
    clock: systemClock,
    sessionFiles: createSessionFiles({ crash }),
    notifier: createNoticeBoard({ store, log, now: () => systemClock.now() }),
    machine: procMachine,
    redact: held.redact,
    agent: (runtime) => {
      const agent = agents.get(runtime);
      if (agent !== undefined) return agent;
      throw new OperationError(`cannot start an agent: there is no runtime "${runtime}"`, {
        code: "no-runtime",
        hint: `use one of: ${[...agents.keys()].join(", ")}`,
      });
    },
    project,
  };
}

/** What is done with an agent is done at once: none is loaded in the middle of it. */
async function loadAgents(): Promise<Map<string, Agent>> {
  const loaded = RUNTIMES.map(async (runtime) => {
    const agent = await runtime.load();
    return [runtime.name, { ...agent, missing: missingProgram(runtime) }] as const;
  });
  return new Map(await Promise.all(loaded));
}

const missingProgram =
  ({ program: usual }: Runtime): NonNullable<Agent["missing"]> =>
  async ({ command, env, root }) => {
    const program = command[0] ?? usual;
    if (program === undefined) return undefined;
    const found = await findProgram(program, { root, path: env["PATH"] });
    return found === undefined ? program : undefined;
  };

/** Those that are loaded at their first call. */
function lazyPorts({ paths, crash }: Deps, held: HeldSecrets, walls: Walls) {
  return {
    walls,
    terminal: lazily<Terminal>(PORTS.terminal, async () =>
      (await ADAPTERS.terminal()).createTerminal({ socket: paths.tmux, crash }),
    ),
    gateway: lazily<SessionGateway>(
      PORTS["session-gateway"],
      async () => (await ADAPTERS.gateway()).sessionGateway,
    ),
    modelKeys: async (names: readonly string[]) =>
      (await import("./model-keys.ts")).modelKeys(names, { paths, secrets: held.secrets }),
    workspaces: lazily<Workspaces>(PORTS.workspaces, async () =>
      (await ADAPTERS.workspaces()).createWorkspaces(toolEnvironment(), walls),
    ),
    publisher: redacting(
      lazily<Publisher>(PORTS.publisher, async () =>
        (await ADAPTERS.publisher()).createFilePublisher(),
      ),
      held.redact,
    ),
    firing: lazily<Firing>(PORTS.firing, async () =>
      (await ADAPTERS.firing()).createFiring({
        secret: held.secrets,
        environment: toolEnvironment(),
      }),
    ),
    commands: lazily<Commands>(PORTS.commands, async () =>
      (await ADAPTERS.commands()).createLocalCommands({ crash, walls }),
    ),
    userPlugins: lazily<UserPlugins>(PORTS["user-plugins"], async () =>
      (await ADAPTERS.userPlugins()).createUserPlugins(),
    ),
  };
}

/** The forge of a project by its configuration, also before the project is known. */
export async function forgeOf(
  { store, paths, crash }: Pick<Deps, "store" | "paths" | "crash">,
  config: ProjectConfig,
): Promise<Forge> {
  const secrets = heldSecrets(paths.home).secrets;
  const tokens = config.forge === undefined ? undefined : await findTokens(config.forge, secrets);
  const factory = () => factoryMarks(store, paths.homeId);
  const now = (): number => systemClock.now();
  const project = projectName(config.name);
  return createForge({ project, config, store, tokens, factory, now, crash });
}

/** Copies of states are read by agents and people: they have no secrets. */
const redacting = (publisher: Publisher, clean: (text: string) => string): Publisher => ({
  publish: (path, content) => publisher.publish(path, redactText(content, clean)),
});

/** Loaded only where a project has one: it brings what checks its answers. */
const ciServers = () => import("./wire-ci-server.ts");

/** What a project has of its own: its hub, its checks, its tracker. */
async function projectPorts(name: ProjectName, from: OwnDeps): Promise<ProjectPorts> {
  const { config, upstream, store, paths, crash, tokens, secrets, rateLimits } = from;
  const now = (): number => systemClock.now();
  const hub = paths.hub(name);
  const fileMb = config.checkpoints?.fileMb;
  const { createProjectGit } = await ADAPTERS.git();
  const { createBuiltinCi } = await ADAPTERS.ci();
  const both = createProjectGit({
    hub,
    upstream,
    target: config.target,
    config: config.git,
    sparse: config.workspace.sparse,
    crash,
    access: gitAccess(config.forge, tokens, upstream),
    apart: gitApart(config, { workspaces: dirname(paths.workspace(name, "-")), walls: from.walls }),
    ...(fileMb === undefined ? {} : { fileMaxBytes: fileMb * 1024 * 1024 }),
  });
  const { git, checkpoints } = both;
  const ci = createBuiltinCi({
    dir: paths.checks(name),
    git,
    records: recordsIn(store, name),
    environment: toolEnvironment(),
    walls: from.walls,
    slots: config.ci.slots,
    now,
    crash,
  });
  const factory = () => factoryMarks(store, paths.homeId);
  const own = { project: name, config, store, tokens, factory, now, crash, rateLimits };
  const forge = await createForge(own);
  const { server } = config.ci;
  const { target } = config;
  const beside = { project: name, store, crash, upstream, forge, target, secrets, rateLimits };
  const ciServer =
    server === undefined
      ? {}
      : { ciServer: await (await ciServers()).wireCiServer(server, beside) };
  return { git, checkpoints, ci, ...ciServer, forge };
}

async function configured(
  store: Store,
  name: ProjectName,
): Promise<{ config: ProjectConfig } & Pick<Project, "upstream">> {
  const project = await briefProject(store, name);
  if (project?.config !== undefined) return { config: project.config, upstream: project.upstream };
  throw new OperationError(`project ${name} has no usable configuration`, {
    code: "config-missing",
    hint: "run `pawl init` in its repository",
  });
}

/** CI results are kept in the journal's records, one transaction each. */
function recordsIn(store: Store, project: ProjectName): CheckRecords {
  const collection = checksOf(project);
  return {
    get: async (key) => (await store.records.get<RememberedCheck>(collection, key))?.value,
    put: (key, value) => store.transaction((tx) => tx.records.put(collection, key, value)),
  };
}
