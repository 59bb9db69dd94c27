// Where a run may stand and, at the end of this file, when it entered each of its stages.
//
//  claiming ─> preparing ─> working ─> fetching ─> publishing ─> checking ─> reviewing ─> queued ─┐
//                           │  ^     any of these can go to escalated and come back         │     │
//                           │  └──────────── CI red, changes requested, conflict ───────────┘     │
//                           └─> blocking ─> ended                          ended <─ landed <──────┘
//
// claiming:   the issue is being claimed on the forge; no agent works yet.
// preparing:  the workspace is being made; an agent starts only after a journaled "complete".
// working:    it is the agent's turn.
// fetching:   the agent says that it is ready; its branch is being fetched into the hub and looked at.
// publishing: its branch is in the hub and is being pushed, its PR made sure of.
// checking:   CI runs on the merged result.
// reviewing:  green, and a review is required and awaited.
// queued:     in the merge queue; the queue speaks next. Out of it while a person stopped or holds it.
// judging:    a task's answer is with the asker of the task.
// escalated:  a person must answer; the work and, where it lives, the session are kept.
// landed:     on the target; the issue is settled, the agent exits, the workspace is removed.
// blocking:   given up, or a task's answer was accepted: session ended, work saved.
// ended:      nothing left to do.
import type { Obligation } from "../effect.ts";
import type { Commit } from "../ids.ts";
import type { Question } from "../session/evidence.ts";
import type { Refusal } from "./phase.ts";
import type { Run } from "./run.ts";

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
  /** The proxy refused this host: the answer says whether the run may reach it. */
  host?: string;
  /** Asked with `help`: only an answer closes it, not the phase file. */
  stays?: true;
  /** How many questions of the agent's are in `reason`, where there is more than one. */
  asked?: number;
  /** Asked on the issue too, as this comment. */
  posted?: string;
  /** The last comment there that was taken up and was no answer. */
  read?: string;
};

/** What is left to clear away once the work is over; each is true when done. */
export type Clearing = {
  issueSettled: boolean;
  sessionGone: boolean;
  /** Also true where the workspace stays. */
  workspaceGone: boolean;
  /** The workspace stays, and its last checkpoint is not made yet. */
  isSaving?: true;
};

/** `fetch`: of a phase written while others work: its branch is fetched too, and may have new commits. */
type Meanwhile = { fetch?: number };

export type Stage =
  | { kind: "claiming" }
  | { kind: "preparing" }
  | { kind: "working" }
  /** `ordinal`: of the phase that claims that the branch is ready. */
  | { kind: "fetching"; ordinal: number }
  /** `ordinal`: of the phase that asked for it; not in journals of an earlier version. */
  | ({ kind: "publishing"; head: Commit; ordinal?: number } & Meanwhile)
  /** `key`: of the check under way, so that exactly that one can be cancelled. */
  | ({ kind: "checking"; head: Commit; key: string; deadline: number | undefined } & Meanwhile)
  | ({ kind: "reviewing"; head: Commit; deadline: number } & Meanwhile)
  /** `out`: a person stopped or holds the run, so that it has no entry in the queue. */
  | ({ kind: "queued"; head: Commit; out?: true } & Meanwhile)
  | ({ kind: "judging"; deadline: number } & Meanwhile)
  | ({ kind: "escalated"; escalation: Escalation } & Meanwhile)
  | { kind: "landed"; commit: Commit; exitBy: number; clearing: Clearing }
  /** `refusal`: what its agent refused the issue for. */
  | { kind: "blocking"; reason: string; clearing: Clearing; refusal?: Refusal }
  | { kind: "ended" };

/** Every stage this version knows. */
export const STAGES: ReadonlySet<string> = new Set<Stage["kind"]>([
  "claiming",
  "preparing",
  "working",
  "fetching",
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

/** The phase whose branch is being fetched. */
export function fetchOf(stage: Stage): number | undefined {
  if (stage.kind === "fetching") return stage.ordinal;
  return "fetch" in stage ? stage.fetch : undefined;
}

/** An earlier phase's fetch is no longer wanted. Where no agent works there is nothing to fetch. */
export function withFetch(stage: Stage, ordinal: number): Stage {
  switch (stage.kind) {
    case "working":
    case "fetching":
      return { kind: "fetching", ordinal };
    case "publishing":
    case "checking":
    case "reviewing":
    case "queued":
    case "judging":
    case "escalated":
      return { ...stage, fetch: ordinal };
    case "claiming":
    case "preparing":
    case "landed":
    case "blocking":
    case "ended":
      return stage;
  }
}

/** The very same object where nothing is fetched. */
export function withoutFetch(stage: Stage): Stage {
  if (stage.kind === "fetching") return { kind: "working" };
  if (!("fetch" in stage)) return stage;
  const { fetch: _fetch, ...rest } = stage;
  return rest;
}

// When a run entered each of its stages: what statistics and timelines are made from, long after its
// events are gone.

type Kind = Stage["kind"];

export type StageMark = {
  kind: Kind;
  at: number;
  /** A check whose result was known: nothing ran. */
  remembered?: true;
  /** Of the first one: how long stages lasted whose marks are gone, in ms. */
  folded?: Partial<Record<Kind, number>>;
};

/** A run that goes back and forth more often loses the oldest ones but the first. */
const MARKS_MAX = 100;

/** The very same run where its stage is the same. */
export function markStage(before: Run | undefined, run: Run, at: number): Run {
  const { kind } = run.stage;
  if (before?.stage.kind === kind) return run;
  const marks = before === undefined ? [] : (run.stages ?? []);
  const kept = marks.length < MARKS_MAX ? marks : fold(marks);
  return { ...run, stages: [...kept, { kind, at }] };
}

/** The oldest mark but the first goes; the time of its stage stays. */
function fold([first, gone, next, ...rest]: readonly StageMark[]): readonly StageMark[] {
  if (first === undefined || gone === undefined || next === undefined) return [];
  const spent = (first.folded?.[gone.kind] ?? 0) + next.at - gone.at;
  return [{ ...first, folded: { ...first.folded, [gone.kind]: spent } }, next, ...rest];
}

/** The check under way needed no run. */
export function markRemembered(run: Run): Run {
  const last = run.stages?.at(-1);
  if (last?.kind !== "checking") return run;
  return { ...run, stages: [...(run.stages ?? []).slice(0, -1), { ...last, remembered: true }] };
}
