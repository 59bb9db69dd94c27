// The environment a run's current agent was started with, composed again: where its own files are
// depends on it.
import type { Run } from "../../core/run/run.ts";
import { contractEnvironment } from "./contract-environment.ts";
import type { Paths } from "../host/paths.ts";
import type { Ports } from "../engine/ports.ts";
import { hookPath } from "../views/agents.ts";

/** Inside walls; another account has another one. */
export function stateFolder({ project, id, config }: Run, paths: Paths): string {
  const folder = paths.agentState(project, id);
  const { account } = config.agent;
  return account === undefined ? folder : `${folder}-${account}`;
}

export function agentEnvironment(
  run: Run,
  epoch: number,
  { ports, paths }: { ports: Ports; paths: Paths },
): { dir: string; env: Record<string, string> } {
  const { passEnv = [], state } = ports.agent(run.config.agent.runtime);
  const dir = paths.session(run.project, run.id, epoch);
  const { home, runtime } = paths;
  const own = state && { ...state, folder: stateFolder(run, paths) };
  const life = { epoch, home, runtime, dir, hookFile: hookPath(run, paths), passEnv, state: own };
  return { dir, env: contractEnvironment(run, life) };
}
