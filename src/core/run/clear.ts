// The end of a run (it has landed, is given up or withdrawn) and clearing away after it. Nothing is
// removed that is not proven landed or saved: the workspace goes only after the last life has ended
// and a checkpoint was made.
import type { Context } from "../context.ts";
import { projectAggregate, type Commit } from "../ids.ts";
import { LABELS } from "../issue.ts";
import { landed } from "../words/messages.ts";
import { isLive, type Verdict } from "../session/session.ts";
import { leaveQueue, leaveReview, tellAsker, notify } from "./tell.ts";
import { post } from "./message.ts";
import { isActive, isAttended, type Run, type RunOutcome } from "./run.ts";
import { endSession } from "./session-life.ts";
import type { Clearing } from "./stage.ts";

/** The work is on the target: the place is free again at once, the agent has a while to finish. */
export function land(run: Run, commit: Commit, context: Context): Run {
  if (!isActive(run)) return run;
  const done = finish(run, { kind: "landed", commit }, context);
  tellAsker(done, { kind: "landed", commit, ...resultOf(done) }, context);
  const next: Run = {
    ...done,
    stage: {
      kind: "landed",
      commit,
      exitBy: context.at + run.config.limits.exitMs,
      clearing: { issueSettled: owesNothing(done), sessionGone: false, workspaceGone: false },
    },
  };
  if (!isLive(next.session)) return next;
  return post(next, { kind: "landed", text: landed(run.config.target) }, context);
}

/** The issue was closed or taken by someone else: end quietly, saving what there is. */
export function withdraw(
  run: Run,
  outcome: Extract<RunOutcome, { kind: "closed" | "lost" }>,
  context: Context,
): Run {
  if (!isActive(run)) return run;
  return {
    ...finish(run, outcome, context),
    stage: {
      kind: "blocking",
      reason: outcome.why,
      clearing: { issueSettled: true, sessionGone: false, workspaceGone: true },
    },
  };
}

/** Gives up: diagnostic posted once, labels set, session ended, work saved and kept. */
export function block(run: Run, reason: string, context: Context): Run {
  if (!isActive(run)) return run;
  const done = finish(run, { kind: "blocked", reason }, context);
  const isTask = run.work.kind === "task";
  tellAsker(done, { kind: "failed", reason }, context);
  notify(run, { severity: "warning", about: `blocked: ${reason}`, round: "blocked" }, context);
  return {
    ...done,
    stage: {
      kind: "blocking",
      reason,
      // A blocked issue's workspace stays: the next attempt, or a person, continues there.
      clearing: { issueSettled: owesNothing(done), sessionGone: false, workspaceGone: !isTask },
    },
  };
}

/** Ends the work before everything is cleared away: the place in the project is free again. */
export function finish(run: Run, outcome: RunOutcome, context: Context): Run {
  // The PR of a task ends with it.
  const gone = outcome.kind === "landed" || run.work.kind === "task";
  leaveReview(run, { over: true, gone }, context);
  // An entry that landed has left the queue by itself.
  if (outcome.kind !== "landed" && run.stage.kind === "queued") {
    leaveQueue(run, outcome.kind, context);
  }
  context.output.tells.push({
    to: projectAggregate(run.project),
    event: {
      kind: "run-ended",
      at: context.at,
      run: run.id,
      outcome,
      epoch: run.epoch,
      ...(outcome.kind === "landed" && run.head !== undefined ? { head: run.head } : {}),
    },
  });
  return { ...run, outcome, endedAt: context.at, respawnAt: undefined };
}

/** A task without a PR has nothing to settle on the forge. */
export const owesNothing = (run: Run): boolean => run.work.kind === "task" && run.pr === undefined;

/** What a task's agent wrote beside its commits. */
const resultOf = ({ work }: Run): { text?: string } =>
  work.kind === "task" && work.result?.kind === "text" ? { text: work.result.text } : {};

/** The time to exit is over: an agent that still runs is ended. */
export function exitDue(run: Run, context: Context): Run {
  if (run.stage.kind !== "landed" || run.stage.exitBy > context.at) return run;
  // An attached person is not thrown out; the next look comes after the same time again.
  if (isAttended(run)) {
    const exitBy = context.at + run.config.limits.exitMs;
    return { ...run, stage: { ...run.stage, exitBy } };
  }
  return endSession(run, "completed");
}

/** Takes the next step of clearing away, once: it is asked for after every event. */
export function clearAway(run: Run, context: Context): Run {
  const { stage } = run;
  if (stage.kind !== "landed" && stage.kind !== "blocking") return run;
  if (isLive(run.session)) {
    // A landed agent gets time to exit (exitDue); one that gave up ends now, unless a person is
    // there.
    if (stage.kind === "landed" || isAttended(run)) return run;
    return endSession(run, LEAVES_AS[run.outcome?.kind ?? "closed"]);
  }
  if (stage.clearing.sessionGone) return run;
  if (!stage.clearing.workspaceGone) return cleared(run, "sessionGone", context);
  const clearing: Clearing = { ...stage.clearing, isSaving: true };
  return cleared({ ...run, stage: { ...stage, clearing } }, "sessionGone", context);
}

const LEAVES_AS: Record<RunOutcome["kind"], Verdict> = {
  landed: "completed",
  answered: "completed",
  blocked: "blocked",
  refused: "completed",
  lost: "killed",
  closed: "killed",
};

/** What could not be saved is not removed: the workspace stays, and the run ends without it. */
export function keepWorkspace(run: Run, context: Context): Run {
  const { stage } = run;
  if (stage.kind !== "landed" && stage.kind !== "blocking") return run;
  if (stage.clearing.isSaving === true) return lastSaved(run, context);
  if (!stage.clearing.sessionGone || stage.clearing.workspaceGone) return run;
  return cleared(run, "workspaceGone", context);
}

/**
 * The workspace that stays is saved, or cannot be. Only now may the next run of this issue start in
 * it: its agent may change what the last one left.
 */
export function lastSaved(run: Run, context: Context): Run {
  const { stage } = run;
  if (stage.kind !== "landed" && stage.kind !== "blocking") return run;
  const { isSaving, ...clearing } = stage.clearing;
  if (isSaving !== true) return run;
  return cleared({ ...run, stage: { ...stage, clearing } }, "workspaceGone", context);
}

type Cleared = "issueSettled" | "sessionGone" | "workspaceGone";

/** One thing less to clear away; when nothing is left, the run is over and its issue free. */
export function cleared(run: Run, what: Cleared, context: Context): Run {
  const { stage } = run;
  if (stage.kind !== "landed" && stage.kind !== "blocking") return run;
  const clearing = { ...stage.clearing, [what]: true };
  const { issueSettled, sessionGone, workspaceGone, isSaving } = clearing;
  if (!issueSettled || !sessionGone || !workspaceGone || isSaving === true) {
    return { ...run, stage: { ...stage, clearing } };
  }
  context.output.tells.push({
    to: projectAggregate(run.project),
    event: { kind: "run-cleared", at: context.at, run: run.id },
  });
  return { ...run, stage: { kind: "ended" } };
}

// Labels of an issue that a run works on. They are a projection of the journal, but a person who
// changes them after us means it: the run ends, and what they did is not undone.

/** As Pawl left them: in progress and not blocked. */
export const isOurs = (labels: string[]): boolean =>
  labels.includes(LABELS.inProgress) && !labels.includes(LABELS.blocked);

export function labelsObserved(
  run: Run,
  { labels, by = "a person" }: { labels: string[]; by?: string | undefined },
  context: Context,
): Run {
  if (run.work.kind !== "issue" || run.stage.kind === "claiming" || isOurs(labels)) return run;
  if (!labels.includes(LABELS.blocked)) {
    const why = `${by} removed the label \`${LABELS.inProgress}\``;
    return withdraw(run, { kind: "closed", why }, context);
  }
  // As a run that gives up leaves it: removing `blocked` has it tried again.
  return releaseIssue(run, `${by} added the label \`${LABELS.blocked}\``, context);
}

/** Ends the run and leaves its issue as it was before it was claimed. */
export function releaseIssue(run: Run, why: string, context: Context): Run {
  if (!isActive(run) || run.work.kind !== "issue") return run;
  const left = withdraw(run, { kind: "closed", why }, context);
  if (left.stage.kind !== "blocking") return left;
  const clearing = { ...left.stage.clearing, issueSettled: false };
  return { ...left, stage: { ...left.stage, clearing } };
}
