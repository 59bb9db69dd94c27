// Commands of formulas and gates: programs that are started once and live on without the daemon.
//
// Contract. `folder` names one attempt. The first call with it starts the program. A call that
// finds it running (after a restart of the daemon) waits for it; a call that finds its end returns
// that. It is never started twice: if the machine died with the program, the outcome is `lost`. At
// the time limit, or when aborted, the whole process group and every process with its mark is
// ended. When aborted with the reason LET_GO (the daemon exits), the program keeps running. Nothing
// of the daemon's own environment reaches it.

import type { Frame } from "./walls.ts";

/** Why a call is given up although what it started is still wanted. */
export const LET_GO = "let go";

export type CommandRequest = {
  folder: string;
  argv: readonly [string, ...string[]];
  cwd: string;
  env: Record<string, string>;
  /** Texts that it finds as files in the folder `PAWL_INPUTS`. */
  inputs: Record<string, string>;
  timeoutMs: number;
  signal: AbortSignal;
  /** The walls that it runs in; undefined: none. */
  walls?: Frame | undefined;
};

export type CommandOutcome =
  | { kind: "exited"; code: number; output: string; errors: string }
  | { kind: "timed-out"; output: string; errors: string }
  /** It wrote more than is kept, and was ended. */
  | { kind: "overflowed"; output: string; errors: string }
  /** It was begun, and how it ended is unknown. */
  | { kind: "lost"; output: string; errors: string };

export type Commands = {
  run(request: CommandRequest): Promise<CommandOutcome>;
  /** Was the program of this attempt started? Then its files must be left as they are. */
  isBegun(folder: string): Promise<boolean>;
  /** Ends what still runs below this folder, and removes it. */
  clear(folder: string): Promise<void>;
};
