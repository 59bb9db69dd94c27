// When the present life of an agent makes room for the next one, because its context fills.
import type { Context } from "../context.ts";
import { checkpointNow, handOffRequest } from "../words/messages.ts";
import { isAbove, symptomsOf, urgencyOf, type Urgency } from "../session/context-use.ts";
import { announce } from "./tell.ts";
import { escalate } from "./escalate.ts";
import { post } from "./message.ts";
import { withEvidence, endSession } from "./session-life.ts";
import { isActive, isAttended, type Run } from "./run.ts";

// Context cycling: an agent whose context fills is told to save its work, then asked to leave for a
// successor. It has a minute; after that its work is saved and it is ended.
//
//   context high ─> requested ─> saved (its hook is updated) ─> gone ─> a continuation starts
//                        └──── a minute later: ORCHESTRATOR_STUCK, ended ──────^

/** What is known of the context has changed: who must hear of it does, once per level and life. */
export function contextChanged(run: Run, context: Context): Run {
  const { session } = run;
  if (session?.status !== "live" || !isActive(run)) return run;
  const use = session.evidence.context;
  const urgency = urgencyOf(use, run.config.limits);
  // A context that was emptied (compacted) may fill again, and is spoken of again.
  if (urgency === "none" && use.announced !== "none") {
    return withEvidence(run, { context: { ...use, announced: "none" } });
  }
  if (!isAbove(urgency, use.announced)) return handOffIfDue(run, urgency, context);
  announce(
    run,
    {
      kind: "CONTEXT_WARNING",
      detail: { urgency, percent: use.percent ?? null, symptoms: symptomsOf(use) },
    },
    context,
  );
  const told = withEvidence(run, { context: { ...use, announced: urgency } });
  if (urgency !== "medium") return handOffIfDue(told, urgency, context);
  return post(told, { kind: "checkpoint-now", text: checkpointNow(use.percent) }, context);
}

/** A person at the terminal is not handed off; the next report asks again. */
function handOffIfDue(run: Run, urgency: Urgency, context: Context): Run {
  if (urgency !== "high" || isAttended(run) || run.session?.handOff !== undefined) return run;
  return requestHandOff(run, handOffRequest(run.config.limits.handOffMs), context);
}

/** `text` says why it has to leave, and how. */
export function requestHandOff(run: Run, text: string, context: Context): Run {
  const { session, config } = run;
  if (session === undefined) return run;
  const { at } = context;
  const handOff = { requestedAt: at, deadline: at + config.limits.handOffMs, saved: false };
  announce(run, { kind: "HANDOFF_REQUESTED", detail: { epoch: session.epoch } }, context);
  const requested: Run = { ...run, session: { ...session, handOff } };
  return post(requested, { kind: "hand-off", text, urgent: true }, context);
}

/** It has written down where it stands; when its turn is over too, nothing keeps it. */
export function savedForHandOff(run: Run): Run {
  const { session } = run;
  if (session?.handOff === undefined) return run;
  return { ...run, session: { ...session, handOff: { ...session.handOff, saved: true } } };
}

export function leaveIfSaved(run: Run): Run {
  const { session } = run;
  if (session?.handOff?.saved !== true || session.evidence.stopped?.background !== 0) return run;
  return endSession(run, "handed_off");
}

/** It did not exit in time. A person who attached meanwhile decides. */
export function handOffOverdue(run: Run, context: Context): Run {
  const { session } = run;
  if (session?.handOff === undefined) return run;
  if (isAttended(run)) return { ...run, session: { ...session, handOff: undefined } };
  const { requestedAt } = session.handOff;
  const detail = { reason: "no clean exit after the hand-off request", requested_at: requestedAt };
  announce(run, { kind: "ORCHESTRATOR_STUCK", detail }, context);
  return endSession(run, "handed_off");
}

/** Hand-offs that change nothing are a circle: each new life would fill its context again. */
export function countHandOff(run: Run, context: Context): Run {
  const moved = run.checkpoint !== run.handedOffAt;
  const handOffs = moved ? 1 : run.counts.handOffs + 1;
  const counted: Run = {
    ...run,
    counts: { ...run.counts, handOffs },
    handedOffAt: run.checkpoint,
  };
  if (handOffs <= run.config.limits.crashesMax) return counted;
  const reason = `the context filled up ${handOffs} times without any change in the workspace`;
  return escalate(counted, { reason }, context);
}
