// The configuration as the core sees it: validated, complete (defaults filled in), plain data.
// config/ turns pawl.toml into this; a run keeps the copy it started with.
import type { AgentChoices } from "./agent-choice.ts";
import type { Budget } from "./budget.ts";
import type { ChannelConfig } from "./channel.ts";
import type { CiGate } from "./check.ts";
import type { TriageRules } from "./patrol/triage.ts";
import type { Schedule } from "./schedule/schedule.ts";
import type { MergeStrategy } from "./merge-queue/entry.ts";
import type { VaultConfig } from "./vault/policy.ts";

export type AgentConfig = {
  /** Its name; what it means is the runtime's own affair (adapters/runtimes.ts). */
  runtime: string;
  /** The program and its arguments; an override where the runtime has a program of its own. */
  command: string[];
  /** Names of variables of the user's environment that the agent may see. */
  passEnv: string[];
  /** Variables set for the agent. */
  env: Record<string, string>;
  /** Where one is chosen; a runtime that has no models ignores it. */
  model?: string;
  /** The runtime's own settings, complete; only where it has any. */
  settings?: Record<string, string | string[]>;
  /** What follows a usage limit of its account, where that is not the default. */
  limit?: { ask: boolean; retryMs: number };
  /** The name of its account, where it is not the one that the user's own environment has. */
  account?: string;
  /** The folder in which the program keeps that account; `~/` is the user's home. */
  home?: string;
};

/** A CI server whose verdict counts beside the gates, or instead of them. */
export type WoodpeckerEvent = "push" | "pull_request";

export type ServerCiConfig = {
  /** For the verdict on a candidate of the merge queue. */
  timeoutMs: number;
  /** Between two looks at what is waited for. */
  pollMs: number;
} & (
  | /** Commit statuses and checks of the forge; without contexts, those its protection requires. */
    { kind: "forge"; contexts: string[] }
  | {
      kind: "woodpecker";
      /** Undefined: WOODPECKER_SERVER. */
      url: string | undefined;
      /** Its number or owner/name there; undefined: owner/name of the remote. */
      repo: number | string | undefined;
      /** Whose pipelines must be green; without any, those that the protection requires. */
      events?: WoodpeckerEvent[];
    }
);

/** A forge behind HTTP; its tokens come from the environment, never from here. */
export type ForgeConfig = {
  kind: "gitea" | "github";
  url: string;
  owner: string;
  repo: string;
  /** Accounts whose comments answer an escalation; only where some are named. */
  operators?: string[];
  /** A claim of another factory of the same account expires after this long; undefined: never. */
  adoptAfterMs?: number;
  /** Where the forge's webhooks are listened for; only where that is wanted. */
  webhook?: { host: string; port: number };
  /** How long an answer is waited for, where it is not the usual time. */
  timeoutMs?: number;
};

export type CiConfig = {
  /** Empty only where there is nothing to check, or a server does. */
  gates: CiGate[];
  server?: ServerCiConfig;
  /** Stated by the user: no CI, everything counts as passed. */
  none: boolean;
  setup: { command: string; timeoutMs: number } | undefined;
  keep: string[];
  history: boolean;
  /** The only folders in the checkouts of gates; all of them unless it is written. */
  sparse?: string[];
  /** How many checks may run side by side in this project. */
  slots: number;
};

export type WorkspaceConfig = {
  /** Run in a new workspace before the agent starts, and before it is removed. */
  setup: string | undefined;
  teardown: string | undefined;
  timeoutMs: number;
  /** Files of the user's checkout that git ignores but agents need, e.g. `.env`. */
  copy: string[];
  /** The only folders that are files in workspaces; all of them unless it is written. */
  sparse?: string[];
  /** The first port of the ranges given to workspaces, and how many each gets. */
  ports: { first: number; count: number } | undefined;
  /** Until the workspace of a run that did not land goes; only where it is written. */
  keepDays?: number;
};

/** The walls around a session. Podman is not among them: it could not be tried. */
export const ISOLATION_MODES = ["bwrap", "none"] as const;
export const NETWORKS = ["open", "hosts", "none"] as const;

export type IsolationConfig = {
  mode: (typeof ISOLATION_MODES)[number];
  network: (typeof NETWORKS)[number];
  /** For `hosts`: names of hosts, without scheme. */
  hosts: string[];
  /** Absolute paths, or paths below `~/`. */
  read: string[];
  write: string[];
  devices: string[];
  /** Of the private /tmp, and of the private home. */
  tmpMb: number;
  /** Undefined in a configuration of an earlier version, and where none is written. */
  limits?: RoomLimits;
};

/** What a program inside walls may take at most. Each that is named holds, or nothing starts. */
export type RoomLimits = {
  memoryMb?: number;
  processes?: number;
  /** Processors at full load; 0.5 is half of one. */
  cpus?: number;
  /** Of one file. */
  fileMb?: number;
};

/** How green branches are reviewed by the review role. */
export type ReviewRole = {
  model: string | undefined;
  /** How many reviews at a time. */
  parallel: number;
  /** More of a difference is cut, and said so. */
  diffMaxBytes: number;
  /** Whether branches that change documentation only are reviewed. */
  docs: "review" | "skip";
  /** Names of files that instruct agents: no documentation. Not in those of an earlier version. */
  instructions?: string[];
  /** A reviewer without progress for so long is stuck. */
  idleMs: number;
};

export type Limits = {
  ciFixesMax: number;
  reviewRoundsMax: number;
  conflictsMax: number;
  nudgesMax: number;
  /** What a branch may add to the repository; not in configurations of an earlier version. */
  branchMaxMb?: number;
  /** Crashes within the window without a new commit before a person is asked. */
  crashesMax: number;
  crashWindowMs: number;
  ciTimeoutMs: number;
  reviewTimeoutMs: number;
  escalationReminderMs: number;
  escalationTimeoutMs: number;
  /** How long an agent has to finish after its work has landed. */
  exitMs: number;
  /** How long a person's `stop` or a hand-off lets an agent end by itself before it is killed. */
  graceMs: number;
  /** No progress: a warning, and the verdict `stuck`. */
  quietWarningMs: number;
  stuckMs: number;
  /** The longest life of one session. */
  lifeMs: number;
  /** Of a session that carries out an operation; not in configurations of an earlier version. */
  actionLifeMs?: number;
  actionIdleMs?: number;
  /** Between two of the three looks that make an idle agent. */
  idleCheckMs: number;
  /** Unseen for so long, an identity is stale. */
  staleMs: number;
  /** For a session to save its work and leave when it is handed off. */
  handOffMs: number;
  /** Use of the context, in percent: "checkpoint now", and hand-off. */
  contextMedium: number;
  contextHigh: number;
  /** A message that was not read for so long is shown. */
  unreadMs: number;
};

export type ProjectConfig = {
  name: string;
  target: string;
  parallel: number;
  /** Where published copies of the state go, instead of PAWL_HOME. */
  stateDir: string | undefined;
  agent: AgentConfig;
  /** Which agent works on what, and what follows one that cannot; only where it is written. */
  agents?: AgentChoices;
  ci: CiConfig;
  /** Only where issues live on a forge; without it in Pawl's own journal. */
  forge?: ForgeConfig;
  /** Whose text may instruct agents; only where it is written. */
  trust?: { authors: string[] };
  /**
   * `role`: only where the review role is on. `journals`: branches that change only what a standing
   * role keeps for itself are reviewed too. `instructions`: as those of the role, where people review.
   */
  review: { required: boolean; role?: ReviewRole; journals?: true; instructions?: string[] };
  /** `protected`: only where something is written. */
  merge: {
    strategy: MergeStrategy;
    lanes: number;
    protected?: string[];
    /** The program that may resolve conflicts, with `{file}` for the file. */
    resolve?: string[];
  };
  workspace: WorkspaceConfig;
  /** Names of keys that the session's gateway uses; only where one is written. */
  gateway?: { keys: string[] };
  /** Only where it is written; without it there are no walls. */
  isolation?: IsolationConfig;
  git: {
    sign: boolean;
    author: { name: string; email: string } | undefined;
    /** Submodules are not checked out; only where it is written. */
    submodules?: false;
  };
  /** Only where something is written. `push`: a remote to copy them to. */
  checkpoints?: { push?: string; fileMb?: number };
  limits: Limits;
  /** Only where something is written. */
  patrol?: PatrolConfig;
  schedules?: Schedule[];
  /** Only where one is written. */
  budget?: Budget;
  /** Of models, in place of the vendors' lists; only where one is written. */
  prices?: Prices;
  /** Who decides about dangerous actions; only where it is written. */
  vault?: VaultConfig;
  /** Ways to people besides the daemon's log; only where one is written. */
  notify?: ChannelConfig[];
  /** For the commands that drive sessions by script. */
  monitoring?: { smallModel: string };
};

/** Dollars for a million tokens. */
export type Price = { input: number; output: number; cacheRead: number; cacheWrite: number };

/** By the beginning of a model's name; the longest that fits counts. */
export type Prices = Record<string, Price>;

export type PatrolConfig = {
  enabled: boolean;
  deaconMs: number;
  witnessMs: number;
  /** Above this the daemon restarts; not in configurations of an earlier version. */
  memoryMb?: number;
  triage?: TriageRules;
};

/** Where the target lives: the forge's repository, or the user's own when there is no remote. */
export type Upstream =
  | { kind: "local"; path: string }
  | {
      kind: "remote";
      url: string;
      /** The user's clone, for detection and copied files. */ path: string;
    };
