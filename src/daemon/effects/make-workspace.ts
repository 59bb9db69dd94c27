// Ensures a run's workspace: made for the first life, found by the next ones, and rebuilt from the
// last checkpoint if it was deleted meanwhile.
import type { WorkspaceConfig } from "../../core/config.ts";
import type { Commit } from "../../core/ids.ts";
import type { Run } from "../../core/run/run.ts";
import { currentProject, type EffectContext, type EffectOf } from "./executor.ts";

type Wanted = Pick<
  EffectOf<"prepare-workspace">,
  "identity" | "branch" | "checkpoint" | "workspace" | "slot" | "from" | "fresh" | "upstream"
>;

export async function makeWorkspace(context: EffectContext, wanted: Wanted) {
  const target = await context.own.git.fetchTarget();
  const from = wanted.from ?? target;
  return context.inWorkspace(wanted.identity, async () => {
    const made = await prepare(context, wanted, from);
    await setUp(context, wanted);
    return made;
  });
}

/** For a life that is about to start, or a look at its work. Asks no network: where the target is now does not matter. */
export async function ensureWorkspace(context: EffectContext, run: Run): Promise<void> {
  const { identity, branch, checkpoint, slot, base } = run;
  if (base === undefined) return;
  const wanted = { identity, branch, checkpoint, slot, workspace: run.config.workspace };
  await context.inWorkspace(identity, async () => {
    const { found } = await prepare(context, wanted, base);
    if (!found) await setUp(context, wanted);
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

async function setUp(context: EffectContext, wanted: Wanted): Promise<void> {
  const { ports, paths, project } = context;
  const { root } = await currentProject(context);
  await ports.workspaces.setUp({
    path: paths.workspace(project, wanted.identity),
    from: root,
    copy: wanted.workspace.copy,
    command: wanted.workspace.setup,
    env: portVariables(wanted.workspace, wanted.slot),
    timeoutMs: wanted.workspace.timeoutMs,
  });
}

/** A range of ports per workspace, so that two agents' servers do not collide. */
export function portVariables(workspace: WorkspaceConfig, slot: number): Record<string, string> {
  const { ports } = workspace;
  if (ports === undefined) return {};
  const first = ports.first + slot * ports.count;
  return { PAWL_PORT: String(first), PAWL_PORT_COUNT: String(ports.count) };
}
