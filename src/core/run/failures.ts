// An effect of a run failed for good (its retries are used up). What the run cannot go on without
// is put before a person, who can have it tried again; the rest is a warning that status shows.
import type { Context } from "../context.ts";
import type { FailedEffect } from "../event.ts";
import { cleared } from "./clear.ts";
import { escalate } from "./escalate.ts";
import type { Run } from "./run.ts";
import { sessionEnded } from "./proceed.ts";

const WARNINGS_MAX = 20;

export function effectFailed(run: Run, failed: FailedEffect, context: Context): Run {
  const text = failed.hint === undefined ? failed.message : `${failed.message} (${failed.hint})`;
  const warned: Run = {
    ...run,
    warnings: [...run.warnings, { at: context.at, text }].slice(-WARNINGS_MAX),
  };
  switch (failed.obligation.effect.kind) {
    case "spawn-session":
      return spawnFailed(warned, text, context);
    case "end-session":
      // What could not be ended is reported; the run must not wait for it for ever.
      return sessionEnded(warned, run.session?.epoch ?? 0, context);
    case "settle-issue":
      return cleared(warned, "issueSettled", context);
    case "remove-workspace":
      return cleared(warned, "workspaceGone", context);
    case "fetch-branch":
      return escalate({ ...warned, fetching: undefined }, { reason: text }, context);
    case "claim-issue":
    case "prepare-workspace":
    case "publish-branch":
    case "check-branch":
      // The same obligation can be asked for again: its key is free, since the failed one was removed.
      return escalate(warned, { reason: text, again: failed.obligation }, context);
    default:
      return warned;
  }
}

function spawnFailed(run: Run, text: string, context: Context): Run {
  const { session } = run;
  if (session?.status !== "spawning") return run;
  const ended: Run = { ...run, session: { ...session, status: "ended", verdict: "not_found" } };
  return escalate(ended, { reason: text }, context);
}
