// How the program of a runtime is started, and what Pawl knows of its habits. Knowledge about one
// program: it starts nothing and types nothing itself. What is known without it is in runtime.ts.
import type { AgentConfig } from "../core/config.ts";
import type { Question } from "../core/session/evidence.ts";
import type { ProviderName } from "./session-gateway.ts";
import type { UsageRow } from "../core/usage.ts";

export type LaunchRequest = {
  agent: AgentConfig;
  promptFile: string;
  /** The part of the prompt that must not be forgotten when a conversation is cut short. */
  protocol: string;
  workspace: string;
  /** The epoch's folder. */
  dir: string;
  /** The conversation of the previous life, where the runtime can resume one. */
  resume: string | undefined;
  /** The environment it will have, as far as it is the same for every runtime. */
  env: Record<string, string>;
  /** Touched by a daemon that is up; an agent's hooks may look at its age. */
  heartbeat: string;
  /** After so long without progress, people are warned. */
  quietMs: number;
};

export type Launch = {
  argv: string[];
  /** Added to the contract's own variables. */
  env: Record<string, string>;
  /** What a person should know about the way it is started. */
  warnings?: string[];
};

/**
 * What a terminal shows: a free prompt, a question of the agent's own, a prompt box that holds
 * unsent text (`line`), or something this version does not know. Text is typed only if it is `free`.
 */
export type Screen =
  | { kind: "free" }
  | { kind: "dialog"; choices: string[] }
  | { kind: "half-typed"; line: string }
  | { kind: "unknown" };

/**
 * What the program keeps of its own in the user's home. Inside walls a run has a folder of its own in
 * place of it: empty but for the names below.
 */
export type AgentState = {
  /** Names the folder for the program. */
  variable: string;
  /** Below HOME, where the variable is not set; "": the home itself. */
  folder: string;
  /** What it must be able to change for all its sessions: its login. */
  shared: readonly string[];
  /** The user's settings, read-only: programs of the user obey them outside. */
  read: readonly string[];
  /** Files of which a run has a copy, because the program writes them as well. */
  copied: readonly string[];
  /** The copied files lie beside the folder where the variable is not set. */
  isBeside?: true;
  /** What it reads elsewhere: a variable that names it, and the place below HOME without that. */
  elsewhere?: readonly { variable: string; folder?: string; name?: string }[];
  /** What a session whose gateway leads to one of these providers does not find there, besides `shared`. */
  login?: {
    providers: readonly ProviderName[];
    /** Of the files to read. */
    files?: readonly string[];
    /** Files of JSON, of which it finds a copy without the login. */
    changed?: Readonly<Record<string, (own: Record<string, unknown>) => Record<string, unknown>>>;
  };
};

export type Agent = {
  /** True where it reports accepted messages itself, so that deliveries can be confirmed. */
  confirms: boolean;
  /**
   * True where a host of ours takes messages out of the inbox and sends them as prompts: nothing is
   * ever typed, and moving a message to cur/ confirms it.
   */
  hosted?: true;
  /** Variables of the user's environment without which it does not work at all. */
  passEnv?: readonly string[];
  /** Undefined where it keeps nothing in the home. */
  state?: AgentState;
  /** Safe to repeat for one folder: the same launch comes back. */
  launch(request: LaunchRequest): Promise<Launch>;
  /** The program that is not found where it would be started; given by host/wire.ts. */
  missing?(request: {
    command: string[];
    env: Record<string, string>;
    root: string;
  }): Promise<string | undefined>;
  /**
   * What is wrong with the installed program (too old, say), each with what to do about it. None
   * where nothing is, or where it cannot be told.
   */
  problems?(request: { command: string[]; env: Record<string, string> }): Promise<string[]>;
  /**
   * What a person should know before it works: whether it is signed in, and whether its version was
   * tested. None where it cannot be told. Takes a second: for the doctor, not for every start.
   */
  inspect?(request: {
    command: string[];
    env: Record<string, string>;
  }): Promise<{ what: string; hint: string; isNote?: true; isSignedOut?: true }[]>;
  /** The conversation that a life in this folder left behind, if it can be resumed. */
  conversation?(request: { dir: string; env: Record<string, string> }): Promise<string | undefined>;
  /**
   * What its own hooks put into the spool, as spool events (core/session/spool.ts). Undefined: these
   * are not its hooks' words, and are taken as they are.
   */
  translate?(request: { dir: string; text: string; at: number }): Promise<string[] | undefined>;
  /** What the program makes of typed text, done beforehand, so that the two can be compared. */
  clean?(text: string): string;
  readScreen?(text: string): Screen;
  /**
   * False where the dialog on this screen asks something else, as far as the screen shows what it is
   * about.
   */
  showsQuestion?(request: { text: string; question: Question }): boolean;
  /** True where a prompt box that holds `line` may be showing the pasted `text`. */
  showsPaste?(request: { line: string; text: string }): boolean;
  /**
   * Since when it says itself that it waits for a prompt; undefined where it works or does not say.
   * For what its hooks do not tell (an interrupt, a refusal).
   */
  idleSince?(request: { dir: string; env: Record<string, string> }): Promise<number | undefined>;
  /**
   * False while it works on a turn and this version of it would accept a prompt without reporting
   * it: such a prompt could never be confirmed.
   */
  reportsPrompts?(request: { dir: string; env: Record<string, string> }): Promise<boolean>;
  /** What the life in this folder has used since it started. */
  usage?(request: { dir: string; env: Record<string, string>; since: number }): Promise<UsageRow[]>;
};
