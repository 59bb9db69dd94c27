// Checks of a commit: the project's gates in a clean checkout (built in), or a CI server's verdict.
//
// Contract. Safe to repeat: a run that an earlier daemon left behind is ended first (built-in) or
// picked up (servers); a result that is remembered for the same tree, gates and environment is
// returned without running again. Fail closed: exit 126/127, a signal, a timeout, or no test
// executed (where the runner tells) is red. Aborting ends the whole process group.
import type { CheckOutcome, CiGate, ServerWord } from "../core/check.ts";
import type { Commit, Tree } from "../core/ids.ts";
import type { Frame } from "./walls.ts";

export type CheckRequest = {
  /** Names the run in logs and for picking it up again; unique per obligation. */
  key: string;
  commit: Commit;
  tree: Tree;
  gates: CiGate[];
  /** Run before the gates in the same checkout; its failure is an infrastructure failure. */
  setup: { command: string; timeoutMs: number } | undefined;
  /** Folders that survive between checkouts, e.g. node_modules. */
  keep: string[];
  /** True: the checkout has history, and nothing is remembered. */
  history: boolean;
  /** The only folders in the checkout, besides files above them; all where it is missing. */
  sparse?: string[];
  /** How often a tree must fail before that is the result. After one try the caller asks again. */
  tries: 1 | 2;
  /** The gates run even if a result of this tree is remembered. */
  fresh?: true;
  /** The walls that set-up and gates run in; undefined: none. */
  walls?: Frame | undefined;
  signal: AbortSignal;
  /** Which commits may be checked next, as far as it is known while this check runs: a hint. */
  next?: () => Promise<Commit[]>;
};

export type Ci = {
  check(request: CheckRequest): Promise<CheckOutcome>;
};

export type ServerRequest = {
  /** Unique per obligation: a result that was reported under another key is requested again. */
  key: string;
  /** The server can see it: it is on a branch of the upstream. */
  commit: Commit;
  tree: Tree;
  signal: AbortSignal;
  /** The commit is the head of a PR; a candidate of the merge queue is on a branch only. */
  isPr: boolean;
  /** Undefined where the caller watches over the time. */
  timeoutMs?: number;
};

/**
 * A CI server's verdict on a commit. Contract: waits until every required result is there, through
 * any time in which the server is out of reach; what takes longer than the limit could not run. A
 * red result that was told under another key is run again where the server can; the same key asked
 * twice is told the same. What is missing is pending, never green.
 */
export type CiServer = {
  judge(request: ServerRequest): Promise<CheckOutcome>;
  /**
   * What it says of this commit now. Waits for nothing, starts nothing, and remembers nothing: what
   * `judge` says later is as if this call had not been made. A server that is out of reach says nothing.
   */
  look(commit: Commit): Promise<ServerWord>;
  /** Whether it has any result of this commit, finished or not. */
  knows(commit: Commit): Promise<boolean>;
  /** Something may have changed there: every pending check looks now. */
  stir(): void;
};
