// Pawl's own tmux server behind the Terminal port. It keeps nothing in memory that another daemon
// would need: what there is to know is in the epoch's folder, in tmux and in /proc.
import { OperationError } from "../../lib/operation-error.ts";
import type { CrashPoint } from "../../lib/crash-point.ts";
import type { Captured, PaneObservation, Spawned, Terminal } from "../../ports/terminal.ts";
import { findProcess, probeProcess } from "../shared/process-table.ts";
import { endLife } from "./end-life.ts";
import { cpuOfTrees, lifeProcesses } from "./life-processes.ts";
import { listPanes, marksIn, PASTED_OPTION } from "./panes.ts";
import { paintPane } from "./paint.ts";
import { readScreens } from "./screens.ts";
import { spawnLife } from "./spawn.ts";
import { ask } from "./tmux.ts";
import type { Tmux } from "./tmux.ts";
import { typeInto } from "./typing.ts";

/** Linux takes 107 bytes for the path of a socket, macOS 103. */
const SOCKET_MAX_BYTES = 103;

export type TerminalOptions = {
  /** The absolute path of the server's socket, in a folder of our own. */
  socket: string;
  /** The tmux to use; the one on PATH unless told. */
  tmux?: string;
  crash: CrashPoint;
};

export function createTerminal({
  socket,
  tmux: program = "tmux",
  crash,
}: TerminalOptions): Terminal {
  // A path, not a name (-L): names live in TMUX_TMPDIR, which two daemons may not agree on.
  if (!socket.startsWith("/") || Buffer.byteLength(socket) > SOCKET_MAX_BYTES) {
    throw new OperationError(`cannot use ${socket} as the tmux socket: not absolute, or too long`, {
      code: "socket-unusable",
      hint: `choose a runtime folder whose path is shorter (at most ${SOCKET_MAX_BYTES} bytes)`,
    });
  }
  const tmux: Tmux = { program, socket };
  const spawning = new Map<string, Promise<Spawned>>();
  return {
    spawn: (request) => {
      // Two calls for one folder are one start.
      const underWay = spawning.get(request.dir);
      if (underWay !== undefined) return underWay;
      const spawned = spawnLife({ tmux, crash }, request).finally(() =>
        spawning.delete(request.dir),
      );
      spawning.set(request.dir, spawned);
      return spawned;
    },
    panes: () => unlessUnanswered(() => observePanes(tmux)),
    capture: (request) => unlessUnanswered(() => capture(tmux, request)),
    paint: (pane) => unlessUnanswered(() => paintPane(tmux, pane)),
    screens: (panes) => unlessUnanswered(() => readScreens(tmux, panes)),
    cpu: (ids) => unlessUnanswered(() => cpuOfTrees(ids)),
    marked: (home) => unlessUnanswered(() => lifeProcesses(home)),
    type: (request) => typeInto(tmux, request),
    end: (request) => endLife({ tmux, crash }, request),
    identify: async (pid) => {
      const row = await findProcess(pid);
      return typeof row === "string" ? undefined : { pid, startTime: row.startTime };
    },
    probe: probeProcess,
    // The server may go as soon as the last session has; agents are left as they are.
    close: async () => {
      await ask(tmux, { commands: [["set-option", "-gq", "exit-empty", "on"]] });
    },
  };
}

async function observePanes(tmux: Tmux): Promise<PaneObservation[]> {
  const panes = await listPanes(tmux);
  return panes.map(({ session, pane, dead, attached, activeAtS, life }) => ({
    tmuxSession: session,
    pane,
    dead,
    attached,
    activeAtS,
    marks: marksIn(life),
  }));
}

async function capture(
  tmux: Tmux,
  { pane, lines }: { pane: string; lines: number },
): Promise<Captured | "unknown"> {
  const answer = await ask(tmux, {
    commands: [
      ["display-message", "-p", "-t", pane, `pasted #{${PASTED_OPTION}}`],
      ["capture-pane", "-p", "-t", pane, "-S", `-${lines}`],
    ],
  });
  if (answer.kind !== "ok") return "unknown";
  const [first = "", ...shown] = answer.stdout.trimEnd().split("\n");
  const text = shown.slice(-lines).join("\n");
  return { text, pasted: /^pasted (\S+)/.exec(first)?.[1] };
}

/** A question that tmux does not answer tells nothing about what was asked. */
async function unlessUnanswered<T>(question: () => Promise<T>): Promise<T | "unknown"> {
  try {
    return await question();
  } catch (error) {
    if (error instanceof OperationError) return "unknown";
    throw error;
  }
}
