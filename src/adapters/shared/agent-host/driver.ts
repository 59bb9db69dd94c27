// What a host asks of the protocol of one agent program. The host (host.ts) owns the inbox, the
// record of deliveries, the spool and the pane; a driver owns the program and its protocol, and
// neither reads nor writes a file of the session's folder that is not its own.
//
// Contract. `open` is called once and before all else. One turn at a time: `prompt` is called again
// only after its promise has settled. Events may come at any moment after `open` was called, in the
// order in which the program told them. `exited` settles when the program has ended, whatever the
// reason; every promise that is open then settles too.
import type { UsageDetail } from "../../../core/usage.ts";
import type { OwnScreen } from "./own-screen.ts";

export type Opened = {
  /** By which a later life resumes it. */
  conversation: string;
  /**
   * What users have said in the conversation so far, where `history` was asked for; undefined
   * where the program cannot tell.
   */
  said: string[] | undefined;
};

export type TurnEnd =
  /** By the program's own word; nothing is said about success. */
  | { kind: "ended" }
  | { kind: "interrupted" }
  /** The account's limit, or an API that refuses for a while. */
  | { kind: "limited"; until: number | undefined; reason: string }
  /** Only a person can help: no login, no such model, a request that is refused. */
  | { kind: "failed"; reason: string }
  /** The same, and the program has not taken the prompt: what it carries was not said. */
  | { kind: "refused"; reason: string }
  /** The program has ended in the middle of it. */
  | { kind: "gone" };

export type DriverEvent =
  | { kind: "text"; text: string }
  /** A token that is not shown: the model is at work. */
  | { kind: "thought" }
  | {
      kind: "tool";
      id: string;
      name: string;
      title: string;
      status: "begun" | "ended" | "failed";
      file: string | undefined;
    }
  | { kind: "plan"; entries: string[] }
  /** What this life has used so far, all in all. */
  | ({ kind: "usage"; tokens: number | undefined; usd: number | undefined } & UsageDetail)
  | { kind: "context"; percent: number }
  | { kind: "compact" }
  | { kind: "question"; id: string; text: string; choices: string[] }
  /** Answered, or taken back by the program, in another way than by `answer`. */
  | { kind: "answered"; id: string }
  | { kind: "warning"; text: string }
  /** A turn that the host did not ask for: a person at the program's own terminal. */
  | { kind: "turn-began" }
  | { kind: "turn-ended"; end: TurnEnd };

export type OpenRequest = {
  /** The conversation to resume; undefined begins one. It never begins one in place of this one. */
  resume: string | undefined;
  /** What users have said in it is wanted. */
  history: boolean;
};

/** The program ended, or was killed, before it was open: nothing is known of its conversation. */
export class ProgramEnded extends Error {
  override readonly name = "ProgramEnded";
}

/** The agent cannot work before a person has acted: it is not signed in, too old, or has no such model. */
export class NeedsPerson extends Error {
  override readonly name = "NeedsPerson";
}

export type Driver = {
  /**
   * Rejects where the conversation cannot be resumed, or the program does not start; with
   * `ProgramEnded` or `NeedsPerson` where the conversation may be resumed by the next life.
   */
  open(request: OpenRequest): Promise<Opened>;
  /** `onAccepted` is called once, as soon as the program's protocol says that it has the prompt. */
  prompt(text: string, onAccepted: () => void): Promise<TurnEnd>;
  /** Joins the turn under way. Absent: messages wait for its end. False: the turn is over. */
  steer?(text: string): Promise<boolean>;
  /** Ends the turn under way, if there is one. */
  interrupt(): Promise<void>;
  /** `choice` counts from 0. A question that is not open any more is no error. */
  answer(id: string, choice: number): Promise<void>;
  /** Ends the program. */
  close(): Promise<void>;
  exited: Promise<{ code: number | undefined; reason: string }>;
  /** A screen of the program's own, which has the pane: its keys are never read by the host. */
  screen?: OwnScreen;
};

export type DriverOptions = {
  /** The program and its arguments. */
  argv: string[];
  env: Record<string, string>;
  workspace: string;
  /** The epoch's folder, for what the driver itself keeps there. */
  dir: string;
  model: string | undefined;
  /** Of the runtime, as its own driver reads them. */
  settings: Record<string, unknown>;
  onEvent: (event: DriverEvent) => void;
};

export type CreateDriver = (options: DriverOptions) => Driver;
