// Clearing away once the work is over. Nothing is removed that is not proven landed or saved:
// the workspace goes only after the last life has ended and a checkpoint was made.
import type { Context } from "../context.ts";
import { projectAggregate, queueAggregate, runAggregate, type Commit } from "../ids.ts";
import { LABELS } from "../issue.ts";
import { landed } from "../messages.ts";
import { isLive } from "../session/session.ts";
import { cancelCheck } from "./check-branch.ts";
import { post } from "./post.ts";
import { isActive, type Clearing, type Run, type RunOutcome } from "./run.ts";
import { endSession } from "./session-life.ts";

/** The work is on the target: the place is free again at once, the agent has a while to finish. */
export function land(run: Run, commit: Commit, context: Context): Run {
  if (!isActive(run)) return run;
  const done = finish(run, { kind: "landed", commit }, context);
  settle(done, { close: true, mergedAs: commit }, context);
  const aggregate = runAggregate(run.project, run.id);
  if (run.head !== undefined) {
    context.output.effects.push({
      key: `${aggregate}:delete-branch`,
      lane: aggregate,
      effect: { kind: "delete-branch", branch: run.branch, head: run.head },
    });
  }
  const next: Run = {
    ...done,
    stage: {
      kind: "landed",
      commit,
      farewellAt: context.at + run.config.limits.farewellMs,
      clearing: { issueSettled: false, sessionGone: !isLive(run.session), workspaceGone: false },
    },
  };
  if (!isLive(next.session)) return clearAway(next, context);
  return post(next, { kind: "landed", text: landed(run.config.target) }, context);
}

/** The issue was closed or taken by someone else: end quietly, saving what there is. */
export function withdraw(
  run: Run,
  outcome: Extract<RunOutcome, { kind: "closed" | "lost" }>,
  context: Context,
): Run {
  if (!isActive(run)) return run;
  const done = finish(run, outcome, context);
  const next: Run = {
    ...done,
    stage: {
      kind: "blocking",
      reason: outcome.why,
      clearing: { issueSettled: true, sessionGone: !isLive(run.session), workspaceGone: true },
    },
  };
  return isLive(next.session) ? endSession(next, "killed", context) : clearAway(next, context);
}

/** Ends the work, whatever is left to clear away: the place in the project is free again. */
export function finish(run: Run, outcome: RunOutcome, context: Context): Run {
  cancelCheck(run, context);
  if (run.stage.kind === "queued" && outcome.kind !== "landed") {
    context.output.tells.push({
      to: queueAggregate(run.project),
      event: { kind: "entry-withdrawn", at: context.at, branch: run.branch, why: outcome.kind },
    });
  }
  context.output.tells.push({
    to: projectAggregate(run.project),
    event: { kind: "run-ended", at: context.at, run: run.id, outcome, epoch: run.epoch },
  });
  return { ...run, outcome, endedAt: context.at, respawnAt: undefined, fetching: undefined };
}

function settle(run: Run, end: { close: boolean; mergedAs: Commit }, context: Context): void {
  const aggregate = runAggregate(run.project, run.id);
  context.output.effects.push({
    key: `${aggregate}:settle`,
    lane: aggregate,
    effect: {
      kind: "settle-issue",
      issue: run.issue.number,
      close: end.close,
      addLabels: [],
      removeLabels: [LABELS.inProgress, LABELS.backlog, LABELS.blocked],
      comment: undefined,
      pr: run.pr === undefined ? undefined : { number: run.pr, mergedAs: end.mergedAs },
    },
  });
}

/** The farewell is over: an agent that is still there is ended. */
export function farewellDue(run: Run, context: Context): Run {
  if (run.stage.kind !== "landed" || run.stage.farewellAt > context.at) return run;
  // A person who sits at the terminal is not thrown out; the next look comes a farewell later.
  if (run.held !== undefined || run.session?.attached === true) {
    const farewellAt = context.at + run.config.limits.farewellMs;
    return { ...run, stage: { ...run.stage, farewellAt } };
  }
  return endSession(run, "completed", context);
}

/** Takes the next step of clearing away, and ends the run when nothing is left. */
export function clearAway(run: Run, context: Context): Run {
  const { stage } = run;
  if (stage.kind !== "landed" && stage.kind !== "blocking") return run;
  const clearing: Clearing = { ...stage.clearing, sessionGone: !isLive(run.session) };
  const next: Run = { ...run, stage: { ...stage, clearing } };
  if (!clearing.sessionGone) return next;
  if (!clearing.workspaceGone) {
    removeWorkspace(next, context);
    return next;
  }
  return clearing.issueSettled ? { ...next, stage: { kind: "ended" } } : next;
}

function removeWorkspace(run: Run, context: Context): void {
  const aggregate = runAggregate(run.project, run.id);
  context.output.effects.push(
    {
      key: `${aggregate}:checkpoint:last`,
      lane: aggregate,
      effect: { kind: "checkpoint", identity: run.identity, reason: "before removal" },
    },
    {
      key: `${aggregate}:remove-workspace`,
      lane: aggregate,
      effect: {
        kind: "remove-workspace",
        identity: run.identity,
        teardown: run.config.workspace,
        run: run.id,
        lastEpoch: run.epoch,
      },
    },
  );
}

export function cleared(run: Run, what: keyof Clearing, context: Context): Run {
  const { stage } = run;
  if (stage.kind !== "landed" && stage.kind !== "blocking") return run;
  const clearing = { ...stage.clearing, [what]: true };
  const next: Run = { ...run, stage: { ...stage, clearing } };
  const over = clearing.issueSettled && clearing.sessionGone && clearing.workspaceGone;
  return over ? clearAway(next, context) : next;
}
