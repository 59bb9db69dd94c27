// The terminal of the simulated world: it starts agents (agents.ts), which then live by themselves,
// and ends them with everything that carries their marks.
import type { ProjectName, RunId } from "../../src/core/ids.ts";
import { OperationError } from "../../src/lib/operation-error.ts";
import type {
  LifeMarks,
  PaneObservation,
  ProcessId,
  Spawned,
  SpawnRequest,
  Terminal,
} from "../../src/ports/terminal.ts";
import { ENDED_BY_PAWL, endProcess, startAgent } from "../agents.ts";
import { typeInto } from "../hooks.ts";
import { lastWord } from "../agent-words.ts";
import type { Life } from "../life.ts";
import type { Process, World } from "../world.ts";

export function createFakeTerminal(life: Life): Terminal {
  const { world } = life;
  return {
    async spawn(request) {
      const folder = world.folder(request.dir);
      const there = folder.pid === undefined ? undefined : world.processes.get(folder.pid);
      if (there !== undefined) return spawnedOf(there);
      const started = startProcess(world, request);
      await life.pass("terminal.spawn:started");
      return spawnedOf(started);
    },
    panes: async () =>
      world.faults.strikes("panesUnknown") ? "unknown" : Array.from(world.living, paneOf),
    capture: async ({ pane }) => {
      const shown = [...world.living].find(({ pid }) => pane === `%${pid}`);
      return { text: shown?.box ?? "", pasted: shown?.pasted };
    },
    paint: async () => "unknown",
    screens: async (panes) => new Map(panes.map((pane) => [pane, ""])),
    cpu: async () => new Map(),
    marked: async () => [],
    identify: async () => undefined,
    type: async ({ process, pane, ...typed }) => {
      const found = processOf(world, process);
      if (found?.alive !== true || pane !== `%${found.pid}`) return "gone";
      typeInto(world, found, typed);
      return "typed";
    },
    async end({ marks, graceMs }) {
      const meant = world.marked.get(markOf(marks)) ?? [];
      for (const process of meant.filter(({ alive }) => alive)) {
        // An agent that writes on until it is killed uses its grace.
        if (world.prng.agents.chance(0.2)) await world.clock.sleep(graceMs);
        lastWord(world, process);
        if (world.faults.on && process.stubbornUntil > world.clock.monotonicMs()) {
          throw outlives(process);
        }
        endProcess(world, process, { code: null, signal: ENDED_BY_PAWL });
      }
      await life.pass("terminal.end:half");
      for (const process of meant) process.leftover = false;
    },
    async probe(process) {
      if (world.faults.strikes("probeUnknown")) return "unknown";
      return processOf(world, process)?.alive === true ? "alive" : "dead";
    },
    close: async () => undefined,
  };
}

/** A reused pid is another process. */
function processOf(world: World, { pid, startTime }: ProcessId): Process | undefined {
  const found = world.processes.get(pid);
  return found?.startTime === startTime ? found : undefined;
}

function startProcess(world: World, request: SpawnRequest): Process {
  const { env } = request;
  const folder = world.folder(request.dir);
  const pid = 1000 + world.processes.size;
  const started: Process = {
    pid,
    startTime: String(world.clock.monotonicMs()),
    project: (env["PAWL_PROJECT"] ?? "") as ProjectName,
    identity: `${env["PAWL_ROLE"]}-${env["PAWL_NAME"]}`,
    run: (env["PAWL_RUN"] ?? "") as RunId,
    epoch: Number(env["PAWL_EPOCH"]),
    folder,
    workspace: request.cwd,
    alive: true,
    leftover: false,
    attached: false,
    stubbornUntil: 0,
    tokens: 0,
    box: "",
    pasted: undefined,
    prompts: [],
    isDeaf: false,
  };
  folder.pid = pid;
  world.processes.set(pid, started);
  world.living.add(started);
  const mark = markOf(started);
  world.marked.set(mark, [...(world.marked.get(mark) ?? []), started]);
  const { project, identity, epoch } = started;
  world.tell({ kind: "process-started", project, identity, epoch, pid });
  for (const [, id] of folder.prompt.matchAll(/^### (m\d+)$/gm)) {
    if (id === undefined) continue;
    world.tell({ kind: "message-shown", dir: folder.path, id, how: "prompt" });
  }
  startAgent(world, started);
  return started;
}

const markOf = ({ project, run, epoch }: LifeMarks): string => `${project}/${run}/${epoch}`;

const outlives = ({ pid }: Process): OperationError =>
  new OperationError(`cannot end the agent: process ${pid} outlives SIGKILL (simulated)`, {
    code: "process-outlives",
    retryable: true,
  });

/** Asked for every ten seconds: the same object until a client attached or left. */
const known = new WeakMap<Process, PaneObservation>();

function paneOf(process: Process): PaneObservation {
  const before = known.get(process);
  if (before?.attached === process.attached) return before;
  const pane = {
    tmuxSession: sessionName(process),
    pane: `%${process.pid}`,
    dead: false,
    attached: process.attached,
    activeAtS: 0,
    marks: { project: process.project, run: process.run, epoch: process.epoch },
  };
  known.set(process, pane);
  return pane;
}

const sessionName = ({ identity, project, epoch }: Process): string =>
  `${identity}-${project}-${epoch}`;

const spawnedOf = (process: Process): Spawned => ({
  socket: "sim",
  tmuxSession: sessionName(process),
  pane: `%${process.pid}`,
  process: { pid: process.pid, startTime: process.startTime },
});
