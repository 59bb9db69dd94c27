// Surrounds every external mutation with a named crash point: `port.method:before` and `:after`.
// Each method of each port is listed as a mutation or a read; the compiler refuses a port method
// that is missing here, so that no mutation can come without its crash points.
import type { CrashPoint } from "../../lib/crash-point.ts";
import type { Firing } from "../../ports/firing.ts";
import type { Checkpoints } from "../../ports/checkpoints.ts";
import type { Ci, CiServer } from "../../ports/ci.ts";
import type { Commands } from "../../ports/commands.ts";
import type { Forge } from "../../ports/forge.ts";
import type { Git } from "../../ports/git.ts";
import type { Machine } from "../../ports/machine.ts";
import type { Notifier } from "../../ports/notifier.ts";
import type { Publisher } from "../../ports/publisher.ts";
import type { SessionFiles } from "../../ports/session-files.ts";
import type { SessionGateway } from "../../ports/session-gateway.ts";
import type { Terminal } from "../../ports/terminal.ts";
import type { UserPlugins } from "../../ports/user-plugins.ts";
import type { Walls } from "../../ports/walls.ts";
import type { Workspaces } from "../../ports/workspace.ts";
import type { Ports, ProjectPorts } from "./ports.ts";

/** `inner`: only another adapter calls it, and its own crash points lie inside. */
type Kind = "mutation" | "read" | "inner";
type Kinds<Port> = { [Method in keyof Port]: Kind };

const TERMINAL: Kinds<Terminal> = {
  spawn: "mutation",
  type: "mutation",
  end: "mutation",
  panes: "read",
  capture: "read",
  paint: "read",
  screens: "read",
  cpu: "read",
  marked: "read",
  probe: "read",
  identify: "read",
  close: "read",
};

const SESSION_FILES: Kinds<SessionFiles> = {
  prepare: "mutation",
  deliver: "mutation",
  removeSpool: "mutation",
  unlinkPhase: "mutation",
  hold: "mutation",
  release: "mutation",
  // A question whose answer did not come is asked again.
  answer: "read",
  read: "read",
  watch: "read",
  logTail: "read",
  terminalLog: "read",
};

const GATEWAY: Kinds<SessionGateway> = {
  // Files of a life that has not started: the start that is tried again writes them again.
  prepare: "read",
  // Written again by the next daemon, which compares nothing with what an earlier one wrote.
  steer: "read",
  // Carried out again with the effect that it belongs to.
  close: "read",
  usage: "read",
};

const GIT: Kinds<Git> = {
  fetchTarget: "mutation",
  prepareWorkspace: "mutation",
  fetchBranch: "mutation",
  adoptBranches: "mutation",
  pushBranch: "mutation",
  deleteBranch: "mutation",
  buildCandidate: "mutation",
  releaseCandidate: "mutation",
  land: "mutation",
  checkout: "inner",
  checkpoint: "mutation",
  removeWorkspace: "mutation",
  tryPush: "read",
  treeOf: "read",
  readFile: "read",
  conflicts: "read",
  contains: "read",
  summary: "read",
  targetFiles: "read",
  // Of a head that the hub lacks it brings the objects, and no ref.
  changesOf: "read",
  changedPaths: "read",
  changedBy: "read",
  // What it forgets was acknowledged, and is forgotten again where that is not yet known.
  outside: "read",
  compare: "read",
  targetLog: "read",
  underWay: "read",
};

const CHECKPOINTS: Kinds<Checkpoints> = {
  restoreTo: "mutation",
  restoreInto: "mutation",
  thin: "mutation",
  archive: "mutation",
  push: "mutation",
  recover: "mutation",
  tidy: "mutation",
  watch: "read",
  identities: "read",
  landed: "read",
  list: "read",
  content: "read",
  diff: "read",
};

const FORGE: Kinds<Forge> = {
  createIssue: "mutation",
  editIssue: "mutation",
  comment: "mutation",
  claim: "mutation",
  ensurePr: "mutation",
  finishPr: "mutation",
  mergePr: "mutation",
  review: "mutation",
  dismissReview: "mutation",
  setStatus: "mutation",
  issues: "read",
  issuePage: "read",
  revision: "read",
  issue: "read",
  edits: "read",
  comments: "read",
  claimOf: "read",
  prs: "read",
  pr: "read",
  prsOf: "read",
  reviews: "read",
  statuses: "read",
  requiredContexts: "read",
  running: "read",
  timeline: "read",
  mayMerge: "read",
  settings: "read",
  // A person asks for it, and asks again where it did not happen.
  showMerges: "inner",
  account: "read",
};

const CI: Kinds<Ci> = { check: "mutation" };
const CI_SERVER: Kinds<CiServer> = {
  judge: "mutation",
  look: "read",
  knows: "read",
  stir: "read",
};
const WORKSPACES: Kinds<Workspaces> = {
  setUp: "mutation",
  tearDown: "mutation",
  stamp: "read",
};
const COMMANDS: Kinds<Commands> = { run: "mutation", isBegun: "read", clear: "mutation" };
const NOTIFIER: Kinds<Notifier> = { notify: "mutation", onTaken: "read" };
const MACHINE: Kinds<Machine> = {
  memory: "read",
  fileMb: "read",
  diskUsedPercent: "read",
  loadPerCore: "read",
  containers: "read",
  tail: "read",
  folders: "read",
};
const USER_PLUGINS: Kinds<UserPlugins> = { files: "read" };
// What it copies for an agent is copied again at the next start.
const WALLS: Kinds<Walls> = {
  around: "read",
  probe: "read",
  limits: "read",
  placeState: "read",
};
const FIRING: Kinds<Firing> = { carryOut: "mutation" };
const PUBLISHER: Kinds<Publisher> = { publish: "mutation" };

/** Each port by its name in crash points, with all its methods. */
export const PORTS = {
  terminal: TERMINAL,
  "session-files": SESSION_FILES,
  "session-gateway": GATEWAY,
  git: GIT,
  checkpoints: CHECKPOINTS,
  forge: FORGE,
  ci: CI,
  "ci-server": CI_SERVER,
  workspaces: WORKSPACES,
  notifier: NOTIFIER,
  publisher: PUBLISHER,
  firing: FIRING,
  commands: COMMANDS,
  machine: MACHINE,
  "user-plugins": USER_PLUGINS,
  walls: WALLS,
} as const;

/** All names that `withCrashPoints` can pass, for the coverage test. */
export const portCrashPoints = (): string[] =>
  Object.entries(PORTS).flatMap(([port, kinds]) =>
    Object.entries(kinds)
      .filter(([, kind]) => kind === "mutation")
      .flatMap(([method]) => [`${port}.${method}:before`, `${port}.${method}:after`]),
  );

export function withCrashPoints(ports: Ports, crash: CrashPoint): Ports {
  const on = <Port extends object>(name: string, port: Port, kinds: Kinds<Port>): Port =>
    surround(port, { name, kinds, crash });
  // Asked for at every look: the same project has the same ports, surrounded once.
  const surrounded = new WeakMap<ProjectPorts, ProjectPorts>();
  return {
    ...ports,
    terminal: on("terminal", ports.terminal, TERMINAL),
    sessionFiles: on("session-files", ports.sessionFiles, SESSION_FILES),
    workspaces: on("workspaces", ports.workspaces, WORKSPACES),
    notifier: on("notifier", ports.notifier, NOTIFIER),
    machine: on("machine", ports.machine, MACHINE),
    userPlugins: on("user-plugins", ports.userPlugins, USER_PLUGINS),
    publisher: on("publisher", ports.publisher, PUBLISHER),
    firing: on("firing", ports.firing, FIRING),
    commands: on("commands", ports.commands, COMMANDS),
    project: async (name): Promise<ProjectPorts> => {
      const own = await ports.project(name);
      const known = surrounded.get(own);
      if (known !== undefined) return known;
      const made = {
        git: on("git", own.git, GIT),
        forge: on("forge", own.forge, FORGE),
        ci: on("ci", own.ci, CI),
        ...(own.ciServer === undefined
          ? {}
          : { ciServer: on("ci-server", own.ciServer, CI_SERVER) }),
        ...(own.checkpoints === undefined
          ? {}
          : { checkpoints: on("checkpoints", own.checkpoints, CHECKPOINTS) }),
      };
      surrounded.set(own, made);
      return made;
    },
  };
}

type Method = (...args: unknown[]) => unknown;

function surround<Port extends object>(
  port: Port,
  options: { name: string; kinds: Kinds<Port>; crash: CrashPoint },
): Port {
  const { name, kinds, crash } = options;
  const entries = Object.entries(port) as [keyof Port & string, Method][];
  const surrounded = entries.map(([method, call]) => {
    if (kinds[method] !== "mutation") return [method, call];
    const [before, after] = [`${name}.${method}:before`, `${name}.${method}:after`];
    const through = async (...args: unknown[]): Promise<unknown> => {
      // Mostly there is nothing to wait for, and then it is not waited for.
      const dies = crash(before);
      if (dies !== undefined) await dies;
      const result = await call(...args);
      const died = crash(after);
      if (died !== undefined) await died;
      return result;
    };
    return [method, through];
  });
  return Object.fromEntries(surrounded) as Port;
}
