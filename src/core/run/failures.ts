// An effect of a run failed for good (its retries are used up). What the run cannot go on without
// is put before a person, who can have it tried again; the rest is a warning that status shows.
import type { Context } from "../context.ts";
import type { Obligation } from "../effect.ts";
import type { FailedEffect } from "../event.ts";
import { agentCannotBeEnded, workspaceNotRemoved } from "../words/messages.ts";
import { cleared, keepWorkspace } from "./clear.ts";
import { escalate } from "./escalate.ts";
import { cannotStart } from "./take-over.ts";
import { notify, unfetched } from "./tell.ts";
import { notLooked } from "./stuck.ts";
import { NEVER_SHOWN, notTyped, undelivered } from "./message.ts";
import { isActive, warn, type Run } from "./run.ts";
import { fetchOf } from "./stage.ts";
import { endSession } from "./session-life.ts";
import { isQuarantined } from "../quarantine.ts";
import { UNKNOWN_EFFECT } from "../unknown-state.ts";

/** The code of a start that was refused: its program is missing, too old or not signed in. */
export const AGENT_UNUSABLE = "agent-unusable";

const END_AGAIN_MS = 300_000;
/** The daemon dies of it: each new try may cost the factory two more daemons. */
const END_DEADLY_AGAIN_MS = 86_400_000;

export function effectFailed(run: Run, failed: FailedEffect, context: Context): Run {
  const { effect } = failed.obligation;
  const reason = failed.hint === undefined ? failed.message : `${failed.message} (${failed.hint})`;
  const warned = warn(run, reason, context);
  switch (effect.kind) {
    case "spawn-session":
      return spawnFailed(warned, { epoch: effect.epoch, reason, code: failed.code }, context);
    case "end-session":
      return endFailed(
        warned,
        { epoch: effect.marks.epoch, reason, isDeadly: isQuarantined(failed) },
        context,
      );
    case "settle-issue":
    case "finish-pr":
      return cleared(warned, "issueSettled", context);
    case "remove-workspace":
      return cleared(warned, "workspaceGone", context);
    case "deliver-message":
      // Typed and never confirmed, it may have been seen: only what was provably not shown goes again.
      return failed.code === NEVER_SHOWN
        ? undelivered(warned, effect.id)
        : notTyped(warned, effect.id);
    case "look-at-session":
      return notLooked(warned, context);
    case "checkpoint":
      return keepWorkspace(warned, context);
    default: {
      if (failed.code === UNKNOWN_EFFECT) return escalate(warned, { reason }, context);
      if (!isNeeded(run, failed.obligation)) return warned;
      // The same obligation can be asked for again: its key is free, since the failed one was removed.
      const again = failed.obligation;
      return escalate(unfetched(warned), { reason, again }, context);
    }
  }
}

/** The run stands still without exactly this effect; one of an earlier head is only a warning. */
function isNeeded({ stage }: Run, { key, effect }: Obligation): boolean {
  switch (effect.kind) {
    case "claim-issue":
      return stage.kind === "claiming";
    case "prepare-workspace":
      return stage.kind === "preparing";
    case "fetch-branch":
      return fetchOf(stage) === effect.ordinal;
    case "publish-branch":
      return stage.kind === "publishing" && stage.head === effect.head;
    case "check-branch":
      return stage.kind === "checking" && stage.key === key;
    default:
      return false;
  }
}

/** It may have started all the same, its answer lost: ended like any other, before the next one. */
function spawnFailed(
  run: Run,
  start: { epoch: number; reason: string; code: string },
  context: Context,
): Run {
  const { session } = run;
  if (session?.status !== "spawning" || session.epoch !== start.epoch) return run;
  const ended = endSession(run, "not_found");
  const { reason, code } = start;
  const other = code === AGENT_UNUSABLE ? cannotStart(ended, reason, context) : undefined;
  return other ?? escalate(ended, { reason }, context);
}

/** While the old life may still run, no new one starts: two in one workspace destroy each other. */
function endFailed(
  run: Run,
  end: { epoch: number; reason: string; isDeadly: boolean },
  context: Context,
): Run {
  const { session } = run;
  if (session?.epoch !== end.epoch || session.status !== "ending") return run;
  const unended: Run = { ...run, session: { ...session, unended: true, unendable: true } };
  if (isActive(run)) return escalate(unended, { reason: end.reason }, context);
  // A run that is over has no question to ask; but its workspace and its name are not free while
  // something of it may run. Ending it is tried again in a while, and a person hears of it once.
  if (session.unendable !== true) {
    const about = agentCannotBeEnded(end.reason, end.isDeadly ? "once a day" : "every few minutes");
    notify(run, { severity: "urgent", about, round: "unended" }, context);
  }
  const waitMs = end.isDeadly ? END_DEADLY_AGAIN_MS : END_AGAIN_MS;
  return { ...unended, respawnAt: context.at + waitMs };
}

// What of a workspace is not saved: said in a warning while the run works, and at its end a reason to
// keep the workspace.

/** Something in it cannot be saved: it stays, the run ends without it, and a person decides. */
export function workspaceKept(run: Run, unsaved: string[], context: Context): Run {
  const about = workspaceNotRemoved(run.identity, unsaved);
  notify(run, { severity: "urgent", about, round: "workspace" }, context);
  const kept: Run = { ...run, kept: { at: context.at, why: about } };
  return cleared(warn(kept, about, context), "workspaceGone", context);
}

/** Said once for the same paths: it is asked with every checkpoint. */
export function noteUnsaved(run: Run, about: string | undefined, context: Context): Run {
  if (about === run.unsaved) return run;
  const noted: Run = { ...run, unsaved: about };
  return about === undefined ? noted : warn(noted, about, context);
}
