// Everything outside that the daemon uses, in one bundle. host/wire.ts fills it with adapters,
// the simulator with fakes; nothing else knows which.
import type { ProjectName } from "../../core/ids.ts";
import type { Firing } from "../../ports/firing.ts";
import type { Agent } from "../../ports/agent.ts";
import type { Checkpoints } from "../../ports/checkpoints.ts";
import type { Ci, CiServer } from "../../ports/ci.ts";
import type { Commands } from "../../ports/commands.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Forge } from "../../ports/forge.ts";
import type { Git } from "../../ports/git.ts";
import type { Machine } from "../../ports/machine.ts";
import type { Notifier } from "../../ports/notifier.ts";
import type { Publisher } from "../../ports/publisher.ts";
import type { ModelKey, SessionGateway } from "../../ports/session-gateway.ts";
import type { SessionFiles } from "../../ports/session-files.ts";
import type { Terminal } from "../../ports/terminal.ts";
import type { UserPlugins } from "../../ports/user-plugins.ts";
import type { Walls } from "../../ports/walls.ts";
import type { Workspaces } from "../../ports/workspace.ts";

export type ProjectPorts = {
  git: Git;
  forge: Forge;
  ci: Ci;
  /** Only where the project's configuration names one. */
  ciServer?: CiServer;
  /** The simulator has none of its own: there, checkpoints are only made. */
  checkpoints?: Checkpoints;
};

export type Ports = {
  clock: Clock;
  terminal: Terminal;
  sessionFiles: SessionFiles;
  workspaces: Workspaces;
  notifier: Notifier;
  publisher: Publisher;
  firing: Firing;
  commands: Commands;
  machine: Machine;
  userPlugins: UserPlugins;
  walls: Walls;
  gateway: SessionGateway;
  /** Keys for models by the names that a configuration uses; one that cannot be had is thrown. */
  modelKeys(names: readonly string[]): Promise<ModelKey[]>;
  /** Takes out the secrets that this process holds, and what looks like one. */
  redact(text: string): string;
  agent(runtime: string): Agent;
  /** The ports of a registered project; made at its first use. */
  project(name: ProjectName): Promise<ProjectPorts>;
};
