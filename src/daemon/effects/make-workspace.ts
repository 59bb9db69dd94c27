// Ensures a run's workspace: made for the first life, found by the next ones, and rebuilt from the
// last checkpoint if it was deleted meanwhile.
import type { WorkspaceConfig } from "../../core/config.ts";
import type { Commit } from "../../core/ids.ts";
import type { Run } from "../../core/run/run.ts";
import type { SetUpFailure } from "../../core/set-up.ts";
import { OperationError } from "../../lib/operation-error.ts";
import type { SetUpRequest } from "../../ports/workspace.ts";
import { toolEnvironment } from "../host/environment.ts";
import {
  currentProject,
  currentRun,
  wallsOf,
  type EffectContext,
  type EffectOf,
} from "./executor.ts";

type Wanted = Pick<
  EffectOf<"prepare-workspace">,
  "identity" | "branch" | "checkpoint" | "workspace" | "slot" | "from" | "fresh" | "upstream"
>;

/**
 * `failure`: set-up fails in a workspace that holds nothing but the target, so that it fails in any.
 * Where there is more, that may be why: such a failure is this run's own.
 */
export async function makeWorkspace(context: EffectContext, wanted: Wanted) {
  const target = await context.own.git.fetchTarget();
  const from = wanted.from ?? target;
  return context.inWorkspace(wanted.identity, async () => {
    const made = await prepare(context, wanted, from);
    const failure = await setUp(context, wanted);
    if (failure === undefined) return made;
    const { attempt, epoch } = await currentRun(context);
    // One that is found by the first attempt is its own, made before a try that broke off.
    const isFound = made.found && (attempt > 1 || epoch > 0);
    if (wanted.from !== undefined || isFound || made.head !== made.base) throw setUpFailed(failure);
    return { failure };
  });
}

const setUpFailed = ({ why, logTail }: SetUpFailure): OperationError =>
  new OperationError(`set-up failed: ${[why, logTail].filter((text) => text !== "").join("\n")}`, {
    code: "set-up-failed",
    hint: "see `setup` and `copy` under [workspace] in pawl.toml",
  });

/** For a life that is about to start, or a look at its work. Where the target is now does not matter, so
 * upstream is not asked for it. */
export async function ensureWorkspace(context: EffectContext, run: Run): Promise<void> {
  const { identity, branch, checkpoint, slot, base } = run;
  if (base === undefined) return;
  const wanted = { identity, branch, checkpoint, slot, workspace: run.config.workspace };
  await context.inWorkspace(identity, async () => {
    const { found } = await prepare(context, wanted, base);
    if (found) return;
    const failure = await setUp(context, wanted);
    if (failure !== undefined) throw setUpFailed(failure);
  });
}

function prepare({ own, paths, project }: EffectContext, wanted: Wanted, from: Commit) {
  const { identity, branch, checkpoint } = wanted;
  return own.git.prepareWorkspace({
    path: paths.workspace(project, identity),
    branch,
    from,
    ...(wanted.fresh === true ? {} : { identity }),
    ...(checkpoint === undefined ? {} : { checkpoint }),
    ...(wanted.upstream === true ? { upstream: true } : {}),
  });
}

async function setUp(context: EffectContext, wanted: Wanted): Promise<SetUpFailure | undefined> {
  const { ports, paths, project } = context;
  const { root } = await currentProject(context);
  const request = {
    path: paths.workspace(project, wanted.identity),
    from: root,
    copy: wanted.workspace.copy,
    command: wanted.workspace.setup,
    env: portVariables(wanted.workspace, wanted.slot),
    timeoutMs: wanted.workspace.timeoutMs,
    walls: await wallsOf(context),
  };
  try {
    await lookAtWalls(context, request);
    return await ports.workspaces.setUp(request);
  } catch (error) {
    // What is wrong with a file to copy is wrong in every workspace.
    if (!(error instanceof OperationError) || error.retryable) throw error;
    const { message: why, hint: logTail = "" } = error;
    return { why, logTail };
  }
}

/** Before an agent is started here, and also where there is no command to set it up. */
async function lookAtWalls(
  { ports }: EffectContext,
  { walls, path, env }: Pick<SetUpRequest, "walls" | "path" | "env">,
): Promise<void> {
  if (walls === undefined) return;
  await ports.walls.probe({
    ...walls,
    cwd: path,
    env: { ...toolEnvironment(), ...env },
    write: [],
  });
}

/** A range of ports per workspace, so that two agents' servers do not collide. */
export function portVariables(workspace: WorkspaceConfig, slot: number): Record<string, string> {
  const { ports } = workspace;
  if (ports === undefined) return {};
  const first = ports.first + slot * ports.count;
  return { PAWL_PORT: String(first), PAWL_PORT_COUNT: String(ports.count) };
}
