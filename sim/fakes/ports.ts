// All fake ports for one life of the daemon, with the crash points that the real ones have. What has
// behaviour passes its port's contract (docs/simulator.md lists them). User plugins, an agent's
// launch and redaction do nothing here, except that their calls fail as others do: no simulation
// reads what they make.
import { withCrashPoints } from "../../src/daemon/engine/port-crash-points.ts";
import { noLog } from "../../src/daemon/host/no-log.ts";
import { createNoticeBoard } from "../../src/daemon/notify/notice-board.ts";
import type { Ports, ProjectPorts } from "../../src/daemon/engine/ports.ts";
import type { ProjectName } from "../../src/core/ids.ts";
import type { Forge } from "../../src/ports/forge.ts";
import type { Notifier } from "../../src/ports/notifier.ts";
import { confirmingAgent } from "../hooks.ts";
import type { Life } from "../life.ts";
import type { SimProject } from "../world.ts";
import { createFakeCheckpoints } from "./checkpoints.ts";
import { createFakeFiring } from "./firing.ts";
import { inBranchOrder } from "./branch-order.ts";
import { createFakeCi } from "./ci.ts";
import { createFakeCiServer } from "./ci-server.ts";
import { createFakeCommands } from "./commands.ts";
import { createFakeGit } from "./git.ts";
import { createFakeGateway } from "./gateway.ts";
import { createFakeMachine } from "./machine.ts";
import { merging } from "./merging.ts";
import { createFakePublisher } from "./publisher.ts";
import { createFakeSessionFiles } from "./session-files.ts";
import { createFakeTerminal } from "./terminal.ts";
import { createFakeWalls } from "./walls.ts";
import { createFakeWorkspaces } from "./workspaces.ts";

export function createFakePorts(life: Life): Ports {
  const { world } = life;
  const projects = new Map<ProjectName, ProjectPorts>();
  const project = (name: ProjectName): ProjectPorts => {
    const known = projects.get(name);
    if (known !== undefined) return known;
    const own = world.project(name);
    const ports = {
      git: inBranchOrder(life.port("git", createFakeGit(life, own))),
      forge: life.port("forge", { ...saying(life, own.forge.forge()), ...merging(life, own) }),
      ci: life.port("ci", createFakeCi(life, own)),
      ...ciServerOf(life, own),
      checkpoints: life.port("checkpoints", createFakeCheckpoints(life, own), ["watch"]),
    };
    projects.set(name, ports);
    return ports;
  };
  const ports: Ports = {
    clock: life.clock(),
    terminal: life.port("terminal", createFakeTerminal(life)),
    sessionFiles: life.port("session-files", createFakeSessionFiles(life), ["watch"]),
    workspaces: life.port("workspaces", createFakeWorkspaces(world)),
    notifier: life.port("notifier", noticeBoard(life), ["onTaken"]),
    publisher: life.port("publisher", createFakePublisher(world)),
    firing: life.port("firing", createFakeFiring(life)),
    commands: life.port("commands", createFakeCommands(life)),
    userPlugins: life.port("user-plugins", { files: async () => [] }),
    walls: life.port("walls", createFakeWalls()),
    machine: life.port("machine", createFakeMachine(world), ["loadPerCore"]),
    gateway: life.port("session-gateway", createFakeGateway(world)),
    modelKeys: async () => [],
    redact: (text) => text,
    agent: () => ({
      ...(world.options.confirms === true ? confirmingAgent() : { confirms: false }),
      launch: async () => ({ argv: ["agent"], env: {} }),
    }),
    project: async (name) => project(name),
  };
  return withCrashPoints(ports, life.pass);
}

const ciServerOf = (life: Life, { ciServer }: SimProject): Pick<ProjectPorts, "ciServer"> =>
  ciServer === undefined
    ? {}
    : { ciServer: life.port("ci-server", createFakeCiServer(life, ciServer), ["stir"]) };

/** What a role says in one round is cut off in the middle, more often than chance would. */
const saying = (life: Life, forge: Forge): Forge => ({
  ...forge,
  comment: async (request) => {
    const comment = await forge.comment(request);
    const ofRole = request.key.startsWith("formula:");
    if (ofRole && life.world.faults.strikes("roundCut")) life.kill("a round of a role");
    return comment;
  },
});

/** No fake: the daemon's own, over the simulated journal. */
const noticeBoard = (life: Life): Notifier =>
  createNoticeBoard({ store: life.store(), log: noLog, now: () => life.world.clock.now() });
