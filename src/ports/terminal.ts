// The terminal sessions that agents live in: Pawl's own tmux server, used for display and for
// people to attach. The truth about life and death is the wrapper in the pane (its exit record)
// and the process itself; tmux is asked only to make, show, type and end.
//
// Contract. Targets are exact (pane ids, `=name`), never prefixes. A probe that fails answers
// "unknown", never "dead".

/** A process with its start time, so that a reused pid is not mistaken for ours. */
export type ProcessId = {
  pid: number;
  /** Start time in clock ticks since boot, from /proc, then `@` and the boot's own id. */
  startTime: string;
};

export type TerminalSize = { columns: number; rows: number };

/** Of every terminal that Pawl starts. */
export const TERMINAL_SIZE: TerminalSize = { columns: 200, rows: 50 };

export type SpawnRequest = {
  /** The seeds' name, e.g. `dev-toy-42`; a name that is taken by another life gets a suffix. */
  name: string;
  cwd: string;
  argv: string[];
  /** The whole environment of the agent; nothing else is inherited. */
  env: Record<string, string>;
  /** Where the wrapper writes exit.json, pid and its FIFO: this epoch's own folder. */
  dir: string;
  /** Everything the terminal shows is appended here. */
  logFile: string;
  size: TerminalSize;
};

export type Spawned = {
  /** The tmux socket name, kept so that a later daemon finds the same server. */
  socket: string;
  tmuxSession: string;
  pane: string;
  /** The wrapper in the pane; the agent is its child. */
  process: ProcessId;
};

/** What the wrapper left when the agent ended. Written by rename, so it is whole or absent. */
export type ExitRecord = {
  code: number | null;
  signal: string | null;
  startedAt: number;
  endedAt: number;
};

/** What everything that a life started carries in its environment. */
export type LifeMarks = {
  project: string;
  run: string;
  epoch: number;
  /** The epoch's folder: another factory may have a project, run and epoch of the same names. */
  dir?: string;
};

export type PaneObservation = {
  tmuxSession: string;
  pane: string;
  dead: boolean;
  /** A person has a client attached. */
  attached: boolean;
  /** The second in which it last showed something, since the epoch. */
  activeAtS: number;
  /** Undefined where Pawl did not start it. */
  marks: LifeMarks | undefined;
};

/** `running`: one of them is on a core or waits for one, which on a busy machine says more than time. */
export type CpuUse = { usedMs: number; running: boolean };

export type TypeRequest = {
  pane: string;
  process: ProcessId;
  text: string;
  /**
   * `line` (the default): white space becomes single spaces, then Enter. `paste`: all lines as they
   * are, without control characters, as one bracketed paste, no Enter. `key`: one digit, no Enter.
   * `enter`: the Enter key alone; the text is not used. `raw`: a person's keys, byte for byte.
   */
  as?: "line" | "paste" | "key" | "enter" | "raw";
  /**
   * With `paste`: whose paste it is. The pane keeps the last one for as long as it exists. The same one
   * again within a minute is not pasted and answered with "typed"; after that it is pasted again.
   */
  mark?: string;
};

/** `pasted`: the mark of the last paste into this pane. */
export type Captured = { text: string; pasted: string | undefined };

/** What a pane shows, as a terminal of the same size would have to be told to show the same. */
export type Painted = {
  size: TerminalSize;
  /** Lines with escape sequences for colours, the last ones that scrolled away first. */
  text: string;
};

export type Terminal = {
  /**
   * Starts an agent. Safe to repeat: where this `dir` already has a living or finished life, that
   * one is returned and nothing is started.
   */
  spawn(request: SpawnRequest): Promise<Spawned>;
  /** All panes of Pawl's server in one question. */
  panes(): Promise<PaneObservation[] | "unknown">;
  /** The last lines of what the pane shows, without escape sequences. */
  capture(request: { pane: string; lines: number }): Promise<Captured | "unknown">;
  /** For a person who looks on: no client is attached, and nothing of the pane changes. */
  paint(pane: string): Promise<Painted | "unknown">;
  /**
   * What these panes show, with a little of what has scrolled away, without escape sequences; all
   * in one question. A pane that is missing in the answer could not be looked at.
   */
  screens(panes: string[]): Promise<ReadonlyMap<string, string> | "unknown">;
  /** What each of these processes and its descendants have used, by pid; one look for all. */
  cpu(processes: ProcessId[]): Promise<ReadonlyMap<number, CpuUse> | "unknown">;
  /** Every process whose environment says that it belongs to a life in this factory. */
  marked(home: string): Promise<{ pid: number; marks: LifeMarks }[] | "unknown">;
  /** Types if pane and process are still the ones meant, checked and sent in one tmux command. */
  type(request: TypeRequest): Promise<"typed" | "gone">;
  /**
   * Ends a life: TERM to its process group, KILL after `graceMs`, then leftovers (its group,
   * processes whose environment carries its run and epoch, and orphans in its workspace), then the
   * tmux session. Safe to repeat.
   */
  end(request: {
    /** Undefined where the life never got as far as having one. */
    tmuxSession: string | undefined;
    process: ProcessId | undefined;
    marks: LifeMarks;
    /** Where it worked: orphans that still run there belong to it. */
    workspace?: string;
    graceMs: number;
  }): Promise<void>;
  /** The process that has this pid now. */
  identify(pid: number): Promise<ProcessId | undefined>;
  /** Alive, dead or cannot be told. */
  probe(process: ProcessId): Promise<"alive" | "dead" | "unknown">;
  /** The command that prepares the server, and how many sessions of ours it has. */
  close(): Promise<void>;
};
