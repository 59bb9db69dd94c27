// An effect of a run failed for good (its retries are used up). What the run cannot go on without
// is put before a person, who can have it tried again; the rest is a warning that status shows.
import type { Context } from "../context.ts";
import type { FailedEffect } from "../event.ts";
import { cleared, keepWorkspace } from "./clear.ts";
import { escalate } from "./escalate.ts";
import { isActive, type Run } from "./run.ts";
import { sessionEnded } from "./session-life.ts";
import { warn } from "./warn.ts";

export function effectFailed(run: Run, failed: FailedEffect, context: Context): Run {
  const { effect } = failed.obligation;
  const reason = failed.hint === undefined ? failed.message : `${failed.message} (${failed.hint})`;
  const warned = warn(run, reason, context);
  switch (effect.kind) {
    case "spawn-session":
      return spawnFailed(warned, { epoch: effect.epoch, reason }, context);
    case "end-session":
      return endFailed(warned, { failed, epoch: effect.marks.epoch, reason }, context);
    case "settle-issue":
      return cleared(warned, "issueSettled", context);
    case "remove-workspace":
      return cleared(warned, "workspaceGone", context);
    case "checkpoint":
      return keepWorkspace(warned, context);
    case "fetch-branch":
      if (run.fetching !== effect.ordinal) return warned;
      return escalate(
        { ...warned, fetching: undefined },
        { reason, again: failed.obligation },
        context,
      );
    case "claim-issue":
    case "prepare-workspace":
    case "publish-branch":
    case "check-branch":
      // The same obligation can be asked for again: its key is free, since the failed one was removed.
      return escalate(warned, { reason, again: failed.obligation }, context);
    default:
      return warned;
  }
}

function spawnFailed(run: Run, start: { epoch: number; reason: string }, context: Context): Run {
  const { session } = run;
  if (session?.status !== "spawning" || session.epoch !== start.epoch) return run;
  const ended: Run = { ...run, session: { ...session, status: "ended", verdict: "not_found" } };
  return escalate(ended, { reason: start.reason }, context);
}

/** While the old life may still run, no new one starts: two in one workspace destroy each other. */
function endFailed(
  run: Run,
  end: { failed: FailedEffect; epoch: number; reason: string },
  context: Context,
): Run {
  if (run.session?.epoch !== end.epoch || run.session.status !== "ending") return run;
  // A run that is over starts nothing, and must not wait for ever.
  if (!isActive(run)) return sessionEnded(run, end.epoch, context);
  return escalate(run, { reason: end.reason, again: end.failed.obligation }, context);
}
