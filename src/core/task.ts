// A task: work that is not one issue's branch (a review, a gardener's round, an operation). The
// asker names a key and gets the answer to that key: offered until it is accepted, landed or
// failed. This file owns what a task is; core/run carries it out.
import type { AggregateId, Commit, RunId } from "./ids.ts";

export const ROLES = [
  "dev",
  "review",
  "gardener",
  "supervisor",
  "planner",
  "predictor",
  "action",
] as const;
export type Role = (typeof ROLES)[number];

export type Task = {
  /** Who asked, and is told `task-finished`. */
  by: AggregateId;
  /** Asked again while it waits or is worked on, it is the same task. */
  key: string;
  role: Role;
  /** With the role it is the identity, `{role}-{name}`, which works on one task at a time. */
  name: string;
  title: string;
  /** The step of a formula that it carries out. */
  node?: string;
  /** Markdown: the body of the prompt. What others wrote stands in it as quoted data. */
  brief: string;
  /** What counts: the result file, commits that land, or whichever there is. */
  output: "result" | "branch" | "either";
  /** The issue it is about: what its agent asks of people is asked there too. */
  issue?: number;
  /** What the workspace holds: the target's tip, or a commit that the hub keeps. */
  at: { kind: "target" } | { kind: "commit"; commit: Commit };
  model?: string;
  /** The only files that its branch may change (`planner/**`); such a branch is not reviewed. */
  files?: string[];
  /** `lifeMs`: of one session; `idleMs`: without progress. */
  limits?: { lifeMs?: number; idleMs?: number };
  /** Takes one of the project's `parallel` places; else the asker limits how many there are. */
  takesPlace?: true;
};

const HOUR_MS = 3_600_000;
/** Of an agent that carries out an operation: it may have to wait long for something outside. */
export const ACTION_LIMITS = { lifeMs: 8 * HOUR_MS, idleMs: 4 * HOUR_MS };

/** `result` and `nothing` are offers: the asker accepts or refuses. The others are the end. */
export type TaskOutcome =
  | { kind: "result"; text: string }
  | { kind: "nothing" }
  | { kind: "landed"; commit: Commit; text?: string }
  | { kind: "failed"; reason: string };

/** What an agent left in its result file when it wrote a phase. */
export type ResultFile = { kind: "text"; text: string } | { kind: "too-large"; maxBytes: number };

export const taskIdentity = (task: Pick<Task, "role" | "name">): string =>
  `${task.role}-${task.name}`;

const NAME = /^[a-z0-9](?:[a-z0-9-]{0,58}[a-z0-9])?$/;
export const TASK_BRIEF_MAX = 200_000;

/** Why no run can take a task; its name becomes folders, refs and terminal sessions. */
export function taskProblem(task: Task): string | undefined {
  if (!NAME.test(task.name)) {
    return `"${task.name.slice(0, 80)}" is not a valid task name: use only letters, digits and hyphens`;
  }
  if (task.role === "dev") return "the dev role works on issues, not on tasks";
  if (task.brief.length > TASK_BRIEF_MAX) {
    return `its brief has ${task.brief.length} characters, more than ${TASK_BRIEF_MAX}`;
  }
  return undefined;
}

/** The asker no longer wants it; told to the project, and by it to the run. */
export type TaskWithdrawn = { kind: "task-withdrawn"; at: number; key: string; why: string };

/** Told to the aggregate that asked for a task. */
export type AskerEvent = {
  kind: "task-finished";
  at: number;
  key: string;
  /** Undefined where it was never begun. */
  run: RunId | undefined;
  outcome: TaskOutcome;
};
