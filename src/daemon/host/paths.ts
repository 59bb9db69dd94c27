// Where everything is on disk. Pure; one place, so that no two parts disagree.
import { join } from "node:path";
import { sha256 } from "../../lib/sha256.ts";
import { daemonSocket, tmuxSocket } from "../../config/home.ts";
import type { ProjectName, RunId } from "../../core/ids.ts";
import { phaseLinkPath } from "../../core/run/phase.ts";

const SHORT = 12;
const shortHash = (text: string): string => sha256(text).slice(0, SHORT);

export type Paths = ReturnType<typeof pathsOf>;

/** `home`: PAWL_HOME. `runtime`: a short private folder, because socket paths over 107 bytes fail. */
export function pathsOf(home: string, runtime: string) {
  const projects = join(home, "projects");
  // Names of projects, runs and identities are single parts of a path, and this is asked all the time.
  const project = (name: ProjectName): string => `${projects}/${name}`;
  const run = (name: ProjectName, id: RunId): string => `${project(name)}/runs/${id}`;
  return {
    home,
    runtime,
    projects,
    journal: join(home, "pawl.db"),
    lock: join(home, "lock.db"),
    backups: join(home, "backups"),
    /** What is kept of projects that were removed. */
    removed: join(home, "removed"),
    log: join(home, "daemon.log"),
    /** Present while the operator wants no daemon. */
    stopped: join(home, "stopped"),
    heartbeat: join(home, "heartbeat"),
    /** Which effect the last daemon died of. */
    deathNote: join(home, "death-note.json"),
    /** Tells this PAWL_HOME from others, also after its journal was lost. */
    homeId: join(home, "home-id"),
    socket: daemonSocket(runtime),
    tmux: tmuxSocket(runtime),
    project,
    hub: (name: ProjectName): string => `${project(name)}/hub.git`,
    workspace: (name: ProjectName, identity: string): string =>
      `${project(name)}/workspaces/${identity}`,
    run,
    session: (name: ProjectName, id: RunId, epoch: number): string => `${run(name, id)}/${epoch}`,
    /** In place of what an agent keeps in the user's home, inside walls. */
    agentState: (name: ProjectName, id: RunId): string => `${run(name, id)}/agent-state`,
    /** What stands outside a session's walls: what it has used, what it may do. */
    gateway: (name: ProjectName, id: RunId, epoch: number): string =>
      `${run(name, id)}/gateway-${epoch}`,
    /** The sockets of its gateway, visible inside; short, and of this life alone. */
    sockets: (name: ProjectName, id: RunId, epoch: number): string =>
      `${runtime}/s/${shortHash(`${home} ${name} ${id} ${epoch}`)}`,
    /** Which keys for models are limited until when. */
    keyLimits: join(home, "key-limits"),
    paneLog: (name: ProjectName, id: RunId): string => `${run(name, id)}/pane.log`,
    /** Where checkpoints are restored for a person to look at. */
    restored: (name: ProjectName): string => `${project(name)}/restored`,
    /** Where a program that the vault let through finds itself. */
    vault: (name: ProjectName, item: string): string => join(project(name), "vault", item),
    checks: (name: ProjectName): string => `${project(name)}/cache/ci`,
    /** What runs of a plugin have on disk. */
    plugin: (name: ProjectName, plugin: string): string => `${project(name)}/plugins/${plugin}`,
    /** Everything that one cycle of a formula has on disk. */
    formula: (name: ProjectName, id: string, cycle: number): string =>
      `${project(name)}/formulas/${id}/${cycle}`,
    gate: (name: ProjectName, id: string): string => `${project(name)}/gates/${id}`,
    /** A relative `state_dir` is from a journal of an earlier version, and is not used. */
    state: (name: ProjectName, own?: { stateDir: string | undefined }): string =>
      own?.stateDir?.startsWith("/") === true ? own.stateDir : `${project(name)}/state`,
    phaseLink: phaseLinkPath,
  };
}
