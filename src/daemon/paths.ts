// Where everything is on disk (design §3). Pure; one place, so that no two parts disagree.
import { join } from "node:path";
import type { ProjectName, RunId } from "../core/ids.ts";
import { phaseLinkPath } from "../core/run/phase.ts";

export type Paths = ReturnType<typeof pathsOf>;

/** `home`: PAWL_HOME. `runtime`: a short private folder, because socket paths over 107 bytes fail. */
export function pathsOf(home: string, runtime: string) {
  const project = (name: ProjectName): string => join(home, "projects", name);
  return {
    home,
    runtime,
    journal: join(home, "pawl.db"),
    lock: join(home, "lock.db"),
    backups: join(home, "backups"),
    log: join(home, "daemon.log"),
    /** Present while the operator wants no daemon. */
    stopped: join(home, "stopped"),
    heartbeat: join(home, "heartbeat"),
    socket: join(runtime, "daemon.sock"),
    tmux: join(runtime, "tmux.sock"),
    project,
    hub: (name: ProjectName): string => join(project(name), "hub.git"),
    workspace: (name: ProjectName, identity: string): string =>
      join(project(name), "workspaces", identity),
    run: (name: ProjectName, run: RunId): string => join(project(name), "runs", run),
    session: (name: ProjectName, run: RunId, ...[epoch]: [number]): string =>
      join(project(name), "runs", run, String(epoch)),
    paneLog: (name: ProjectName, run: RunId): string =>
      join(project(name), "runs", run, "pane.log"),
    /** Where checkpoints are put that somebody wants to look at. */
    restored: (name: ProjectName): string => join(project(name), "restored"),
    checks: (name: ProjectName): string => join(project(name), "cache", "ci"),
    /** Everything that one cycle of a formula has on disk. */
    formula: (name: ProjectName, id: string, ...[cycle]: [number]): string =>
      join(project(name), "formulas", id, String(cycle)),
    state: (name: ProjectName): string => join(project(name), "state"),
    phaseLink: phaseLinkPath,
  };
}
