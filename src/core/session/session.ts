// One life of an identity: what is known about its process, and how it ended.
//
//   spawning ──> live ──> ending ──> ended(verdict)
//       └──────────┴─────────────────────^
//
// spawning: the effect that starts it is in the outbox; nothing may be running yet.
// live:     its process was started; what it says counts as long as its epoch is the run's.
// ending:   Pawl decided to end it and waits for `session-ended`.
// ended:    nothing of it runs any more; the verdict says why.
import type { SessionId } from "../ids.ts";
import type { Evidence } from "./evidence.ts";

export type ProcessFacts = { pid: number; startTime: string };
export type PaneFacts = { socket: string; tmuxSession: string; pane: string };
export type ExitFacts = {
  code: number | null;
  signal: string | null;
  startedAt: number;
  endedAt: number;
};

/** How a life ended. */
export type Verdict =
  | "completed"
  | "incomplete"
  | "crashed"
  | "stuck"
  | "timeout"
  | "not_found"
  | "handed_off"
  | "killed"
  | "blocked";

export type Session = {
  id: SessionId;
  epoch: number;
  status: "spawning" | "live" | "ending" | "ended";
  startedAt: number;
  process: ProcessFacts | undefined;
  pane: PaneFacts | undefined;
  /** The walls that a look from inside found before the agent started; none where it has none. */
  walls?: string[];
  lastSeen: number;
  /** The last sign of work: a phase, a commit, a tool call. A living process is not a working one. */
  lastProgress: number;
  attached: boolean;
  /** Stamp of the last phase file content taken in, so that a repeated look changes nothing. */
  phaseStamp: string | undefined;
  /** A phase has been written in this life. */
  spoke: boolean;
  /** Its hooks have told of a turn. */
  begun?: true;
  exit: ExitFacts | undefined;
  verdict: Verdict | undefined;
  /** Ending it failed for good, so that it may still run; tried again when a person has answered. */
  unended: boolean;
  /** Ending it failed for good at least once, and a person was told. */
  unendable?: true;
  predecessor: SessionId | undefined;
  /** How the predecessor ended. */
  after: Verdict | undefined;
  /** The account of its agent; only where a project has several. */
  agent?: string;
  /** The predecessor was another agent's: there is no conversation to resume. */
  isOther?: true;
  evidence: Evidence;
  /** It was asked to save its work and leave for a successor. */
  handOff: { requestedAt: number; deadline: number; saved: boolean } | undefined;
};

/** What it takes to end a life and everything it left behind, and nothing else. */
export type SessionMarks = {
  run: string;
  epoch: number;
  tmuxSession: string | undefined;
  process: ProcessFacts | undefined;
};

export type LiveSession = Session & { status: "spawning" | "live" | "ending" };

/** A life that is starting, running or being ended: it holds the identity. */
export const isLive = (session: Session | undefined): session is LiveSession =>
  session !== undefined && session.status !== "ended";

/** Its process was started, and is not known to have ended. */
export const isStarted = (session: Session | undefined): boolean =>
  isLive(session) && session.process !== undefined;

/** It holds the identity, and no process of it is known yet. */
export const isStarting = (session: Session | undefined): boolean =>
  isLive(session) && session.process === undefined;
