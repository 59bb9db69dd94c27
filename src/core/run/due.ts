// A deadline of a run has passed: what is due is done, one thing after the other.
import type { Context } from "../context.ts";
import { isLive } from "../session/session.ts";
import { checkOverdue } from "./check-reactions.ts";
import { farewellDue } from "./clear.ts";
import { lifeDeadline, runDeadline } from "./deadlines.ts";
import { handOffOverdue } from "./hand-off.ts";
import { look, lookDeadline } from "./look.ts";
import { escalate, escalationDue } from "./escalate.ts";
import { reviewOverdue } from "./review-reactions.ts";
import { handOffDeadline, isWaiting, waitsForBudget, type Run } from "./run.ts";
import { endSession, spawn } from "./session-life.ts";
import { reached } from "./spend.ts";
import { judgingOverdue } from "./task-reactions.ts";

/** More can be due at once than this only by a bug, which is reported as a deadline that stays due. */
const DUE_MAX = 10;

/** All that is due: a reminder may be older than the end of the session's life that is done first. */
export function due(run: Run, context: Context): Run {
  let next = run;
  for (let count = 0; count < DUE_MAX; count += 1) {
    const before = next;
    next = nextDue(before, context);
    if (next === before || (runDeadline(next) ?? Infinity) > context.at) break;
  }
  return next;
}

function nextDue(run: Run, context: Context): Run {
  const passed = (deadline: number | undefined): boolean =>
    deadline !== undefined && deadline <= context.at;
  const { stage } = run;
  if (passed(run.respawnAt)) return respawn(run, context);
  if (stage.kind === "checking" && passed(stage.deadline)) {
    return checkOverdue(run, stage.head, context);
  }
  if (stage.kind === "reviewing" && passed(stage.deadline)) {
    return reviewOverdue(run, stage.head, context);
  }
  if (stage.kind === "judging" && passed(stage.deadline)) return judgingOverdue(run, context);
  if (passed(lifeDeadline(run))) return lifeOver(run, context);
  if (passed(handOffDeadline(run))) return handOffOverdue(run, context);
  if (passed(lookDeadline(run))) return look(run, context);
  return farewellDue(escalationDue(run, context), context);
}

/** The back-off is over. If a person has stopped or holds the run, that person resumes it. */
function respawn(run: Run, context: Context): Run {
  const free: Run = { ...run, respawnAt: undefined };
  const mayStart = run.stopped === undefined && run.held === undefined && run.closed === undefined;
  const wanted = mayStart && reached(run) === undefined && !isLive(run.session);
  return wanted ? spawn(free, context) : free;
}

/** An agent that only waits is ended without a message: news will start another life. */
function lifeOver(run: Run, context: Context): Run {
  const reason = "timeout: the session reached its longest allowed life";
  const asked = isWaiting(run) || waitsForBudget(run) ? run : escalate(run, { reason }, context);
  return endSession(asked, "timeout", context);
}
