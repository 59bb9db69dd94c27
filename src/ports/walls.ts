// The walls around a program: what it may read, change and reach, enforced by the kernel.
//
// Contract. Fail closed: where the walls cannot be built, every call throws an OperationError with the
// code `no-walls`, and nothing is ever started without them instead. Everything that a program inside
// starts ends with it, also where it left its terminal, its parent and its environment.
import type { IsolationConfig } from "../core/config.ts";
import type { AgentState } from "./agent.ts";

export const NO_WALLS = "no-walls";

/** What all rooms of a project have in common. */
export type Frame = {
  isolation: IsolationConfig;
  read: string[];
  /** What must not be found inside: the probe looks for each. */
  hidden: string[];
  /** Folders of Pawl and of the user, which are empty inside also where they lie in the system's. */
  masked: string[];
};

/** One room: what a program inside finds. Everything else of the machine is not there. */
export type Room = Frame & {
  /** Where it starts; it may write there. */
  cwd: string;
  /** Its whole environment: HOME is empty and private, PATH says which tools must be readable. */
  env: Record<string, string>;
  /** The program that must be readable, where the command begins with another. */
  program?: string;
  /** Files and folders that it may change; those that do not exist are left out. */
  write: string[];
  /** Files and folders of the machine that it finds under another name. */
  placed?: { from: string; at: string; isWritable: boolean }[];
  /** Links in its private /tmp. */
  links?: { at: string; to: string }[];
};

/** An agent's own state: the user's, and the run's folder that stands in its place inside. */
export type StatePlace = {
  state: AgentState;
  /** The user's. */
  from: string;
  /** Where the files to be copied are. */
  copyFrom: string;
  to: string;
  /** False where a gateway leads to its model: a login would be a way past it. */
  withLogin: boolean;
};

export type Walls = {
  /** How the program is started inside. */
  around(room: Room, argv: readonly string[]): Promise<[string, ...string[]]>;
  /** A look from inside: the walls that were found. One that is missing is an error. */
  probe(room: Room): Promise<string[]>;
  /** For people: the limits of [isolation], and what holds each. One that cannot be held is an error. */
  limits(isolation: IsolationConfig): Promise<string[]>;
  /** Makes the run's folder ready. Safe to repeat; no agent may run there meanwhile. */
  placeState(place: StatePlace): Promise<NonNullable<Room["placed"]>>;
};
