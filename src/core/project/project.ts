// A project: a repository with its configuration and backlog. It decides which issues get a run.
import type { ForgeSettings } from "../forge-settings.ts";
import type { Spent } from "../budget.ts";
import type { ProjectConfig, Upstream } from "../config.ts";
import type { Commit, ProjectName, RunId } from "../ids.ts";
import type { SetUpFailure } from "../set-up.ts";
import type { TargetFailure } from "../target-proof.ts";
import type { Role, Task } from "../task.ts";
import type { IssueFacts } from "./backlog.ts";

/** `issue`, or the task it works on. */
export type ActiveRun = {
  run: RunId;
  slot: number;
  issue?: number;
  task?: { key: string; identity: string; role: Role; takesPlace: boolean };
};

/** Who works on it, as letters are addressed. */
export const workerOf = ({ issue, task }: ActiveRun): { identity: string; role: string } =>
  task === undefined
    ? { identity: `dev-${issue}`, role: "dev" }
    : { identity: task.identity, role: task.role };

/**
 * `refusedFor`: the last agent refused the issue, because of these where there are any. `landedHead`:
 * what landed for it last.
 */
export type Past = {
  attempts: number;
  epoch: number;
  refusedFor?: number[];
  landedHead?: Commit;
};

/** `from`: what was spent when a person allowed as much again, of budgets that were spent then. */
export type DaySpending = {
  day: string;
  total: Spent;
  roles: Record<string, Spent>;
  from?: { total?: Spent; dev?: Spent };
};

/** Agents are started on a target that is proven, or where a person said so (`waived`). */
export type Proof =
  | { kind: "asked" }
  | { kind: "green" }
  /** The CI server had no verdict at that time: agents start, and before later ones it is asked again. */
  | { kind: "open"; at: number; why: string }
  | { kind: "failed"; since: number; failure: TargetFailure }
  | { kind: "waived"; by: string; failure: TargetFailure };

/**
 * `tries`: how often it was tried again; the next time is at `againAt`. `waiting`: runs that failed;
 * `trying`: runs that try again and have not said yet what came of it.
 */
export type FailedSetUp = {
  since: number;
  failure: SetUpFailure;
  tries: number;
  againAt: number;
  waiting: RunId[];
  trying?: RunId[];
};

/** `answered`: a person who wanted to be asked has said so. */
export type AccountLimit = {
  until: number;
  reason: string;
  answered?: true;
  /** Its agent could not be started: it is tried again then. */
  cannotStart?: true;
  /** It ends within minutes: no person is asked before agents resume. */
  isShort?: true;
  /** The runs that ask a person about it; not in states of an earlier version: any may. */
  asking?: RunId[];
};

export type Project = {
  kind: "project";
  name: ProjectName;
  root: string;
  upstream: Upstream;
  /** The repository has another remote than the one agreed to: nothing is pushed there. */
  askedUpstream?: Upstream | undefined;
  askedAt?: number | undefined;
  /** Commits on the target that did not come through the merge queue. */
  outside?: { commit: Commit; subject: string; acknowledged: boolean; at?: number }[];
  config: ProjectConfig | undefined;
  configSource: string | undefined;
  /** Of the text of the pawl.toml in force, to see at once whether another copy is the same. */
  configHash?: string | undefined;
  /** The last configuration that could not be used; the one before stays in force. */
  configProblem: string | undefined;
  /** How its repository is set on its forge, as last seen. */
  forgeSettings?: ForgeSettings;
  paused: { by: string; why: string; at: number } | undefined;
  /** By account: no run is started with it before then, because it would only meet the same limit. */
  accounts?: Record<string, AccountLimit> | undefined;
  spending?: DaySpending | undefined;
  /** A budget of the day is spent: no agent is started before then. */
  closed?: { until: number; reason: string; at?: number } | undefined;
  /** Whether the gate passes on the bare target; undefined before the first request. */
  proof?: Proof | undefined;
  /** New workspaces cannot be set up: no agent is started, and these runs wait. */
  setUp?: FailedSetUp | undefined;
  /** The open backlog as last seen, in the order it will be worked on. */
  backlog: IssueFacts[];
  /** Counts the changes of `backlog`. */
  backlogVersion?: number;
  /**
   * Where the tracker counts its changes: at this revision its open issues are `backlog`. A daemon that
   * starts does not compare them again.
   */
  seenRevision?: string | undefined;
  observedAt: number | undefined;
  /** There are more `action` issues than are begun at once: the next portion is after this one. */
  actionsAfter?: number;
  /** Tasks that wait for a run, in the order they were asked for. */
  tasks: Task[];
  /** Runs that are not landed, answered, blocked or closed yet. */
  active: ActiveRun[];
  /**
   * Runs that ended and are being cleared away. They take no place, but their workspace, ports and
   * identity are not free yet, so that their issues wait.
   */
  leaving: ActiveRun[];
  /** Issues that an agent could not do before others, which are still open as far as is known. */
  waits?: Record<string, number[]>;
  /** By issue, or by the identity of a task: attempts made, and the last epoch used. */
  history: Record<string, Past>;
  /** The same of those that are not remembered each any more; see past.ts. */
  forgotten?: Record<string, { upTo: number; attempts: number; epoch: number }>;
};
