// The room of one life of an agent: its workspace and its epoch's folder to write, the hub and the
// published copies to read, a state folder of its own, and nothing else of Pawl or of the user.
import { dirname, join } from "node:path";
import type { Run } from "../../core/run/run.ts";
import type { ProviderName } from "../../ports/session-gateway.ts";
import type { Room, StatePlace } from "../../ports/walls.ts";
import { currentProject, type EffectContext } from "../effects/executor.ts";
import { frameOf } from "../host/walls.ts";
import { passEnvironment } from "../host/environment.ts";
import { hookPath } from "../views/agents.ts";
import { accountFolder } from "./contract-environment.ts";
import { stateFolder } from "./recompose-environment.ts";

type Life = {
  dir: string;
  /** Of the life whose conversation it resumes: what was uncertain there is looked up. */
  before: string | undefined;
  env: Record<string, string>;
  /** Of the agent: inside, another program may stand around it. */
  program: string | undefined;
  /** Of the session's gateway; undefined where it has none inside. */
  sockets: { from: string; at: string } | undefined;
  /** Whose models its gateway leads to. */
  providers: readonly ProviderName[];
};

/** Undefined where the run was configured without walls. */
export async function sessionRoom(
  run: Run,
  { dir, before, env, program, sockets, providers }: Life,
  context: EffectContext,
): Promise<Room | undefined> {
  const { paths, project, ports } = context;
  const { root } = await currentProject(context);
  const frame = frameOf(run.config, { project, root, paths });
  if (frame === undefined) return undefined;
  const state = statePlace(run, providers, context);
  const placed = state === undefined ? [] : await ports.walls.placeState(state);
  return {
    ...frame,
    cwd: paths.workspace(project, run.identity),
    env,
    // Not the heartbeat: a mounted file stays the one that it was when the daemon makes another.
    read: [
      ...frame.read,
      dirname(hookPath(run, paths)),
      ...(before === undefined ? [] : [before]),
      ...readElsewhere(run, context),
    ],
    write: [dir, ...(state === undefined ? [] : [state.to])],
    ...(program === undefined ? {} : { program }),
    placed: [...placed, ...(sockets === undefined ? [] : [{ ...sockets, isWritable: false }])],
    links: [{ at: paths.phaseLink(run), to: join(dir, "phase") }],
  };
}

/** Settings of the user that the program looks for outside the folder of its state. */
function readElsewhere(run: Run, { ports }: EffectContext): string[] {
  const { agent } = run.config;
  const { elsewhere = [] } = ports.agent(agent.runtime).state ?? {};
  const named = passEnvironment(["HOME", ...elsewhere.map(({ variable }) => variable)]);
  const own = { ...named, ...agent.env };
  return elsewhere.flatMap(({ variable, folder, name = "" }) => {
    const usual = folder === undefined ? undefined : join(named["HOME"] ?? "/", folder);
    const place = own[variable] ?? usual;
    return place === undefined ? [] : [join(place, name)];
  });
}

function statePlace(
  run: Run,
  providers: readonly ProviderName[],
  { paths, ports }: EffectContext,
): StatePlace | undefined {
  const { agent } = run.config;
  const { state } = ports.agent(agent.runtime);
  if (state === undefined) return undefined;
  const users = passEnvironment([state.variable, "HOME"]);
  const own = { ...accountFolder(agent, state), ...agent.env };
  const named = own[state.variable] ?? users[state.variable];
  const from = named ?? join(users["HOME"] ?? "/", state.folder);
  const copyFrom = named ?? dirname(from);
  const { providers: led = [] } = state.login ?? {};
  const withLogin = !led.some((provider) => providers.includes(provider));
  return { state, from, copyFrom, to: stateFolder(run, paths), withLogin };
}
