// A run: Pawl's attempt to complete one issue, or a task. This file owns its state; step-run.ts
// changes it.
//
//  claiming ─> preparing ─> working ⇄ publishing ─> checking ─> reviewing ─> queued ─> landed ─> ended
//                              │  ^       any of these can go to escalated and come back     │
//                              │  └────────────── CI red, changes requested, conflict ───────┘
//                              └─> blocking ─> ended
//
// claiming:   the issue is being claimed on the forge; no agent works yet.
// preparing:  the workspace is being made; an agent starts only after a journaled "complete".
// working:    it is the agent's turn.
// publishing: its branch is in the hub and is being pushed, its PR made sure of.
// checking:   CI runs on the merged result.
// reviewing:  green, and a review is required and awaited.
// queued:     in the merge queue; the queue speaks next. Out of it while a person stopped or holds it.
// judging:    a task's answer is with the asker of the task.
// escalated:  a person must answer; the work and, where it lives, the session are kept.
// landed:     on the target; the issue is settled, the agent exits, the workspace is removed.
// blocking:   given up, or a task's answer was accepted: session ended, work saved.
// ended:      nothing left to do.
//
// The session (a process) lives beside the stage (the work): an agent may exit while CI runs.
import type { Spent } from "../budget.ts";
import type { CheckOutcome } from "../check.ts";
import type { ProjectConfig } from "../config.ts";
import type { Obligation } from "../effect.ts";
import type { Commit, ProjectName, RunId, Tree } from "../ids.ts";
import type { ReviewFacts } from "../review.ts";
import type { Question } from "../session/evidence.ts";
import type { Hook } from "../session/hook.ts";
import type { PastLife } from "../session/past-life.ts";
import { isLive, type Session } from "../session/session.ts";
import type { Role } from "../task.ts";
import type { Message } from "./message.ts";
import type { Phase, Refusal } from "./phase.ts";
import type { Work } from "./work.ts";
import type { Context } from "../context.ts";

export type Escalation = {
  reason: string;
  since: number;
  remindAt: number | undefined;
  deadline: number;
  /** What to carry out again when a person says so; without it the answer goes to the agent. */
  again: Obligation | undefined;
  /** The head whose review is overdue: a review of it answers as well as a person's words. */
  unreviewed: Commit | undefined;
  /** The agent's own question: only an answer that fits it is one. */
  question: Question | undefined;
  /** The message that cannot be typed: the question closes when the agent has accepted it. */
  message?: string;
  /** Answering allows one more budget. */
  budget?: true;
  /** Asked with `help`: only an answer closes it, not the phase file. */
  stays?: true;
  /** How many questions of the agent's are in `reason`, where there is more than one. */
  asked?: number;
  /** Asked on the issue too, as this comment. */
  posted?: string;
  /** The last comment there that was taken up and was no answer. */
  read?: string;
};

/** `total`: of all lives; `life`: of the last one; `from`: where the budget in force began. */
export type RunSpending = { total: Spent; life: Spent & { epoch: number }; from: Spent };

/** What is left to clear away once the work is over; each is true when done. */
export type Clearing = {
  issueSettled: boolean;
  sessionGone: boolean;
  /** Also true where the workspace stays. */
  workspaceGone: boolean;
  /** The workspace stays, and its last checkpoint is not made yet. */
  isSaving?: true;
};

export type Stage =
  | { kind: "claiming" }
  | { kind: "preparing" }
  | { kind: "working" }
  /** `ordinal`: of the phase that asked for it; not in journals of an earlier version. */
  | { kind: "publishing"; head: Commit; ordinal?: number }
  /** `key`: of the check under way, so that exactly that one can be cancelled. */
  | { kind: "checking"; head: Commit; key: string; deadline: number | undefined }
  | { kind: "reviewing"; head: Commit; deadline: number }
  /** `out`: a person stopped or holds the run, so that it has no entry in the queue. */
  | { kind: "queued"; head: Commit; out?: true }
  | { kind: "judging"; deadline: number }
  | { kind: "escalated"; escalation: Escalation }
  | { kind: "landed"; commit: Commit; exitBy: number; clearing: Clearing }
  /** `refusal`: what its agent refused the issue for. */
  | { kind: "blocking"; reason: string; clearing: Clearing; refusal?: Refusal }
  | { kind: "ended" };

/** Every stage this version knows. */
export const STAGES: ReadonlySet<string> = new Set<Stage["kind"]>([
  "claiming",
  "preparing",
  "working",
  "publishing",
  "checking",
  "reviewing",
  "queued",
  "judging",
  "escalated",
  "landed",
  "blocking",
  "ended",
]);

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
  stage: Stage;
  /** Where the branch left the target. */
  base: Commit | undefined;
  head: Commit | undefined;
  /** It may change only some files, and a file that agents obey is among those it changes. */
  steers?: true | undefined;
  /** The phase whose branch is being fetched. */
  fetching: number | undefined;
  session: Session | undefined;
  /** The lives before it, oldest first; absent in the first one. */
  lives?: PastLife[] | undefined;
  epoch: number;
  phase: { ordinal: number; phase: Phase; reason: string | undefined; at: number } | undefined;
  pr: number | undefined;
  check: { head: Commit; tree: Tree; outcome: CheckOutcome; at: number } | undefined;
  review: ReviewFacts | undefined;
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
  /** An earlier attempt has left work in its workspace or on its branch. */
  begun?: true;
  /** Its workspace could not be set up: it waits for the project's word, or is tried again. */
  unready?: "waits" | "tried" | undefined;
  /** The longest silence this run's agent came back from by itself. */
  longestPauseMs: number;
  spending?: RunSpending;
  /** A budget of the day is spent: after its turn the agent waits, and no life is started. */
  closed?: { until: number; reason: string };
  outcome: RunOutcome | undefined;
  endedAt: number | undefined;
};

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
  run.fetching !== undefined ||
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
  run.stage.kind === "working" && run.fetching === undefined && run.outcome === undefined;

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

/** When an agent that was asked to hand its work over must have exited. */
export const handOffDeadline = ({ session }: Run): number | undefined =>
  session?.status === "live" ? session.handOff?.deadline : undefined;

// What went wrong without stopping the run, kept for `status`: the newest few.

const WARNINGS_MAX = 20;

export const warn = (run: Run, text: string, context: Context): Run => ({
  ...run,
  warnings: [...run.warnings, { at: context.at, text }].slice(-WARNINGS_MAX),
});
