// A run: Pawl's attempt to complete one issue, or a task. This file owns what is known about it and
// what it works on; stage.ts says where it may stand, step-run.ts changes it.
//
// The session (a process) lives beside the stage (the work): an agent may exit while CI runs.
import type { Choice } from "../agent-choice.ts";
import type { Spent } from "../budget.ts";
import { firstFailure, type CheckOutcome } from "../check.ts";
import type { ProjectConfig } from "../config.ts";
import type { Commit, ProjectName, RunId, Tree } from "../ids.ts";
import type { ReviewFacts } from "../review.ts";
import type { Hook } from "../session/hook.ts";
import type { PastLife } from "../session/past-life.ts";
import { isLive, type Session } from "../session/session.ts";
import { taskIdentity, type Role, type ResultFile, type Task } from "../task.ts";
import type { UsageDetail } from "../usage.ts";
import type { Message } from "./message.ts";
import type { Phase } from "./phase.ts";
import type { Stage, StageMark } from "./stage.ts";
import type { Context } from "../context.ts";
import type { Issue } from "../issue.ts";

/**
 * `total`: of all lives; `life`: of the last one; `from`: where the budget in force began. `told`: by the
 * agent of that life; the money of `life` may be an estimate.
 */
export type RunSpending = {
  total: Spent;
  life: Spent & { epoch: number; told?: Spent & UsageDetail };
  from: Spent;
};

export type RunOutcome =
  | { kind: "landed"; commit: Commit }
  | { kind: "blocked"; reason: string }
  /** Its agent refused the issue; `blockedBy`: what it waits for. */
  | { kind: "refused"; why: string; blockedBy: number[] }
  /** The answer to a task was accepted. */
  | { kind: "answered" }
  | { kind: "lost"; why: string }
  | { kind: "closed"; why: string };

export type Run = {
  kind: "run";
  id: RunId;
  project: ProjectName;
  role: Role;
  /** The lasting name of the worker, `{role}-{name}`. */
  identity: string;
  name: string;
  attempt: number;
  slot: number;
  work: Work;
  branch: string;
  config: ProjectConfig;
  requestedAt: number;
  /** When its issue was filed. */
  askedAt?: number;
  stage: Stage;
  /** When it entered each stage; absent, or only of late, where an older version began it. */
  stages?: StageMark[];
  /** Where the branch left the target. */
  base: Commit | undefined;
  head: Commit | undefined;
  /** It may change only some files, and a file that agents obey is among those it changes. */
  steers?: true | undefined;
  session: Session | undefined;
  /** The lives before it, oldest first; absent in the first one. */
  lives?: PastLife[] | undefined;
  epoch: number;
  phase: { ordinal: number; phase: Phase; reason: string | undefined; at: number } | undefined;
  pr: number | undefined;
  check: { head: Commit; tree: Tree; outcome: CheckOutcome; at: number } | undefined;
  review: ReviewFacts | undefined;
  /** The last review whose wish for changes the agent was told. */
  reviewTold?: string;
  messages: Message[];
  nextMessage: number;
  counts: {
    ciFixes: number;
    infraRetries: number;
    reviewRounds: number;
    conflicts: number;
    nudges: number;
    /** Lives that ended as stuck since the last new head. */
    stuck: number;
    /** Hand-offs in a row that changed nothing in the workspace. */
    handOffs: number;
    /** Told once that a "done" had not landed. */
    toldNotMerged: boolean;
  };
  /** Crashes that count against the budget: when, and at which head. */
  crashes: { at: number; head: Commit | undefined }[];
  /** A successor is due at this instant (back-off after crashes). */
  respawnAt: number | undefined;
  stopped: { by: string; at: number } | undefined;
  held: { by: string; at: number } | undefined;
  /** Things that went wrong and did not stop the run. */
  warnings: { at: number; text: string }[];
  checkpoint: Commit | undefined;
  /** What that checkpoint does not hold, as it was said in a warning. */
  unsaved?: string | undefined;
  /** The workspace stayed at the end of the run, because something in it cannot be saved. */
  kept?: { at: number; why: string };
  /** The checkpoint at the last hand-off. */
  handedOffAt: Commit | undefined;
  hook: Hook;
  /** An earlier agent refused the issue, because of these. */
  refusedFor?: number[];
  /** What an earlier run landed for the issue, which was opened again. */
  landedHead?: Commit;
  /** The queue landed this head, as this commit, while the agent's newer word was still unread. */
  landedAs?: { head: Commit; commit: Commit };
  /** An earlier attempt has left work in its workspace or on its branch. */
  begun?: true;
  /** Its workspace could not be set up: it waits for the project's word, or is tried again. */
  unready?: "waits" | "tried" | undefined;
  /** The longest silence this run's agent came back from by itself. */
  longestPauseMs: number;
  spending?: RunSpending;
  /** How its agent was chosen; only where there was a choice. */
  choice?: Choice;
  /** It asked the project for another agent; `denied`: none is free before an account is opened. */
  seeks?: { reason: string; cannotStart?: true; denied?: true };
  /** The next life is this account's agent. */
  next?: { account: string; reason: string };
  /** The agents before the present one: until when, and why not any longer. */
  agents?: { account: string; until: number; reason: string }[];
  /** Hosts that the proxy of its sessions refused, and what a person said to them. */
  hosts?: RefusedHost[];
  /** A budget of the day is spent: after its turn the agent waits, and no life is started. */
  closed?: { until: number; reason: string };
  outcome: RunOutcome | undefined;
  endedAt: number | undefined;
};

/** It asks nothing that words could answer: its agent crashes whenever it is started. */
export const isCrashLoop = ({ stage }: Run): boolean =>
  stage.kind === "escalated" && stage.escalation.reason.startsWith("crashed ");

/** The run still owes something: it has not been landed, blocked, lost or closed. */
export const isActive = (run: Run): boolean => run.outcome === undefined;

/** Nothing is left to do, not even clearing away. */
export const isOver = (run: Run): boolean => run.stage.kind === "ended";

/** A review must approve it before it lands. */
export const needsReview = (run: Run): boolean => {
  const { required, role, journals } = run.config.review;
  if (!required && role === undefined) return false;
  // Code has seen to it that such a branch changes only what its role keeps for itself.
  const isKept = run.work.kind === "task" && run.work.task.files !== undefined;
  return !isKept || journals === true || run.steers === true;
};

/** The agent waits for others: it may exit without that being a crash. */
export const isWaiting = (run: Run): boolean =>
  run.stage.kind === "fetching" ||
  run.stage.kind === "publishing" ||
  run.stage.kind === "checking" ||
  run.stage.kind === "reviewing" ||
  run.stage.kind === "queued" ||
  run.stage.kind === "judging" ||
  run.stage.kind === "escalated" ||
  run.stage.kind === "landed" ||
  run.stage.kind === "blocking";

/** It is the agent's turn: what it owes next is a phase. */
export const isAtWork = (run: Run): boolean =>
  run.stage.kind === "working" && run.outcome === undefined;

/**
 * A person is there: such a session is never nudged, restarted or ended on Pawl's own decision. An
 * ended session counts as unattended, because no later look will report that the person left.
 */
export const isAttended = ({ held, session }: Run): boolean =>
  held !== undefined || (session?.attached === true && session.status !== "ended");

/**
 * A budget is spent, and its turn is over or the news for the next one is kept back: until it is
 * open again, nothing is expected of it.
 */
export function waitsForBudget(run: Run): boolean {
  const { session } = run;
  if (run.closed === undefined || !isAtWork(run)) return false;
  if (!isLive(session) || session.evidence.stopped !== undefined) return true;
  return run.messages.some(({ status, epoch }) => status === "queued" && epoch !== session.epoch);
}

/** `pawl/{name}-{slug}`: readable, short, and safe as a ref. */
export function branchName(name: string, title: string): string {
  const words = title
    .slice(0, 200)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "")
    .slice(0, 40)
    .replace(/-+$/, "");
  return words === "" ? `pawl/${name}` : `pawl/${name}-${words}`;
}

/** Something of a life that is to end may still run, and ending it has failed for good before. */
export const isUnendable = ({ session }: Run): boolean =>
  session?.unendable === true && session.status === "ending";

/** The end of the longest life a session may have; a person at the terminal is not hurried. */
export function lifeDeadline(run: Run): number | undefined {
  const { session } = run;
  if (!isLive(session) || session.status !== "live" || run.held !== undefined) return undefined;
  if (run.outcome !== undefined || session.attached) return undefined;
  return session.startedAt + run.config.limits.lifeMs;
}

/** When an agent that was asked to hand its work over must have exited. */
export const handOffDeadline = ({ session }: Run): number | undefined =>
  session?.status === "live" ? session.handOff?.deadline : undefined;

// What went wrong without stopping the run, kept for `status`: the newest few.

const WARNINGS_MAX = 20;

export const warn = (run: Run, text: string, context: Context): Run => ({
  ...run,
  warnings: [...run.warnings, { at: context.at, text }].slice(-WARNINGS_MAX),
});

// What a run works on: one issue, or a task of another aggregate. Everything about a run that
// depends on which of the two it is, is read here.

export type IssueWork = { kind: "issue" } & Pick<
  Issue,
  "number" | "title" | "body" | "labels" | "url"
> & {
    /** Unknown where an older version began the run. */
    author?: string;
    /** Filed by an account of Pawl's own, as `pawl issue add` does. */
    own?: true;
    /** What was said about it before the run began, oldest first. */
    comments?: { author: string; body: string }[];
    earlier?: EarlierPr;
    attempt?: EarlierAttempt;
  };

export type TaskWork = {
  kind: "task";
  task: Task;
  /** How often its answer was refused. */
  refusals: number;
  /** What the result file held when the last phase was written. */
  result: ResultFile | undefined;
};

export type Work = IssueWork | TaskWork;

/**
 * What came before on the forge: an open PR that is resumed, or the last one that was closed
 * without being merged. All of it was written by others, or may have been.
 */
export type EarlierPr = {
  number: number;
  title: string;
  state: "open" | "closed";
  /** The last comments and reviews, oldest first. */
  said: { author: string; body: string }[];
  /** What it changed, of one that was closed. */
  diff?: { text: string; isCut: boolean };
};

/** How the last run of the issue ended without landing, and how far it was. */
export type EarlierAttempt = {
  run: RunId;
  outcome: Extract<RunOutcome, { kind: "blocked" | "closed" }>;
  phase?: { phase: Phase; reason: string | undefined };
  hook: Pick<Hook, "workPhase" | "summary" | "instructions">;
  /** Its last check, if that failed: only the gate that made it red. */
  failed?: { head: Commit; outcome: Extract<CheckOutcome, { kind: "failed" }> };
};

/** Undefined where the next run has nothing to learn from it, or may not continue it. */
export function attemptOf(run: Run): EarlierAttempt | undefined {
  const { id, outcome, phase, check, hook } = run;
  if (outcome?.kind !== "blocked" && outcome?.kind !== "closed") return undefined;
  const { workPhase, summary, instructions } = hook;
  return {
    run: id,
    outcome,
    hook: { workPhase, summary, instructions },
    ...(phase === undefined ? {} : { phase: { phase: phase.phase, reason: phase.reason } }),
    ...(check?.outcome.kind === "failed"
      ? { failed: { head: check.head, outcome: onlyRed(check.outcome) } }
      : {}),
  };
}

function onlyRed(outcome: Extract<CheckOutcome, { kind: "failed" }>): typeof outcome {
  const red = firstFailure(outcome.results);
  return { ...outcome, results: red === undefined ? [] : [red] };
}

type Worker = { work: Work };

export const titleOf = ({ work }: Worker): string =>
  work.kind === "issue" ? work.title : work.task.title;

/** Undefined where it is no issue's. */
export const issueOf = ({ work }: Worker): number | undefined =>
  work.kind === "issue" ? work.number : undefined;

/** Where on the forge people are asked about it: its issue, or the one its task is about. */
export const askedOn = ({ work }: Worker): number | undefined =>
  work.kind === "issue" ? work.number : work.task.issue;

/** The step of a formula that it carries out, where it does. */
export const nodeOf = ({ work }: Worker): string | undefined =>
  work.kind === "task" ? work.task.node : undefined;

/** What a person types to mean this run: the issue's number, or the identity of a task. */
export const refOf = ({ work }: Worker): string =>
  work.kind === "issue" ? String(work.number) : taskIdentity(work.task);

/** The same, as it is shown. */
export const shownRef = (run: Worker): string =>
  run.work.kind === "issue" ? `#${refOf(run)}` : refOf(run);

// Hosts that the proxy of a run's sessions refused. When a person is asked is decided in escalate.ts.
//
//   refused ─┬> open ─> asked ─> allowed | denied
//            └> never

/**
 * `open`: a person was not asked yet, because something else was asked or done at that time. `never`:
 * no answer can allow it, so no person is asked.
 */
export type RefusedHost = {
  /** As in a rule: `example.com`, `example.com:8443`. */
  host: string;
  why: string;
  at: number;
  status: "open" | "asked" | "allowed" | "denied" | "never";
  /** The agent went on before a person answered, so that they were asked a second time. */
  isAskedAgain?: true | undefined;
};

/** What this run may reach besides what the configuration names. */
export const allowedHosts = ({ hosts }: Pick<Run, "hosts">): string[] =>
  (hosts ?? []).flatMap(({ host, status }) => (status === "allowed" ? [host] : []));
