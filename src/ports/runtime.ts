// What Pawl knows of an agent program before it is started, as data: its name, its settings, what
// works with it. A runtime is one folder (src/adapters/agent-NAME) and one line (adapters/runtimes.ts);
// the core, the configuration and the commands see nothing else of it.
import type { AgentConfig } from "../core/config.ts";
import type { Agent } from "./agent.ts";

/**
 * A key of [agent.NAME] in pawl.toml, from which the configuration makes its schema, its errors and
 * its reference. A `model` is what a role may replace; the run keeps it beside the other settings.
 */
export type Setting = { meaning: string; example?: readonly string[] } & (
  | { kind: "choice"; choices: readonly [string, ...string[]]; assumed: string }
  | { kind: "texts"; assumed: readonly string[] }
  | { kind: "arguments" }
  | { kind: "text" }
  | { kind: "model" }
);

/** By their names in the code: `permissionMode` is `permission_mode` in the file. */
export type Settings = Record<string, Setting>;

/** What the keys of `S` hold once the configuration is complete. */
export type SettingValues<S extends Settings> = {
  [K in keyof S as S[K] extends { kind: "model" } ? never : K]: S[K] extends {
    choices: readonly (infer Choice)[];
  }
    ? Choice
    : S[K] extends { kind: "text" }
      ? string | undefined
      : readonly string[];
};

/** What agents differ in. docs/reference/agents.md shows all of it, and each run what is lacking. */
export const ABILITIES = {
  acknowledges: "a message is acknowledged",
  midTurn: "a message during a turn",
  interrupt: "a turn is interrupted",
  permissions: "permissions",
  questions: "questions of its own",
  limits: "a usage limit is known",
  usage: "usage",
  context: "how full its context is",
  resumes: "the same conversation after a crash",
  terminal: "its terminal",
} as const;
export type AbilityName = keyof typeof ABILITIES;

/** How it is done, or why it cannot be: `no` is said before the agent starts. */
export type Ability = { yes: string } | { no: string };
export type Abilities = Record<AbilityName, Ability>;

/** What is lacking, a sentence each. */
export const lacking = (abilities: Abilities | undefined): string[] =>
  Object.values(abilities ?? {}).flatMap((one) => ("no" in one ? [one.no] : []));

/** `pawl demo --agent NAME`: the user's own program, with a stub of the model on this machine. */
export type Demo = {
  /** One sentence about what works, as the demo opens with it. */
  opening: string;
  /** How it is installed: one command. */
  install: string;
  /** It is given the stub's address and a scratch home, and nothing of the user's login. */
  env: (place: { home: string; stub: string }) => Record<string, string>;
  /** Files of the scratch home, by their paths below it. */
  files: (place: { home: string; stub: string }) => Record<string, string>;
  /** Keys of [agent.NAME]. */
  settings?: Record<string, string>;
};

/** Sessions that scripts drive themselves (`pawl tmux-wrapper`). */
export type Monitored = {
  /** Text for a shell; `prompt` is one quoted word. */
  command: (prompt: string) => string;
  /** A file of the session's folder, and the variable that holds its path. */
  file?: { name: string; variable: string; content: string };
  /** Variables by which it would take itself for part of another session. */
  foreign?: RegExp;
  /** Answers the prompt on its input with a small model, without tools. */
  judge?: (ask: { model: string; system: string }) => [string, ...string[]];
};

export type Runtime = {
  /** `runtime` in pawl.toml. */
  name: string;
  /** What people call it. */
  title: string;
  /** The program that is started unless [agent] command says another; undefined: Pawl's own. */
  program?: string;
  /** It is whatever [agent] command says: without that there is nothing to start. */
  needsCommand?: true;
  /** Names the folder of another account, where the program keeps no state that walls know of. */
  homeVariable?: string;
  /**
   * Whether it finds its login and its conversations inside walls. Undefined: nothing is known of what
   * it keeps in the user's home.
   */
  worksInWalls?: boolean;
  /** The newest version that Pawl is tested with. */
  tested?: string;
  /** The page of docs/ about it. */
  guide?: string;
  settings?: Settings;
  /** Files by which a repository instructs it: a change of one is more than documentation. */
  instructions?: readonly string[];
  /** What it is and what it may do, for whom it will work for. */
  describe: (agent: AgentConfig) => string;
  abilities?: Abilities;
  demo?: Demo;
  monitored?: Monitored;
  /** How it is started and watched; loaded where agents are, and by no command that only reads. */
  load: () => Promise<Agent>;
};
