// The merge queue's step: take the fact in, plan from the whole queue, carry the plan out until
// nothing more follows, and ask for the effects that the new state stands for.
import { assert } from "../../lib/assert.ts";
import type { Context } from "../context.ts";
import type { Output } from "../effect.ts";
import type { Event } from "../event.ts";
import type { QueueEvent } from "./queue-event.ts";
import { candidateBuilt, candidateConflicted } from "./candidate.ts";
import { carryOut } from "./carry-out.ts";
import { clockJumped, deadlinePassed, triedAnew } from "./deadline.ts";
import { NOTHING_KNOWN } from "./estimate.ts";
import { landingFinished } from "./landing.ts";
import { targetLooked } from "./look-at-target.ts";
import { reconcile } from "./obligations.ts";
import { plan } from "./plan.ts";
import { settlePrepared } from "./prepared.ts";
import { proofTriedAgain, proofWanted, tellProof } from "./prove.ts";
import type { Entry, Queue } from "./queue.ts";
import { approveEntry, removeEntry, requestEntry, withdrawEntry } from "./request.ts";
import { branchDeleted } from "./settle.ts";
import { conflictsObserved, targetObserved } from "./survey.ts";
import { effectFailed } from "./trouble.ts";
import { candidateChecked, targetChecked } from "./verdict.ts";

/** A plan may lead to another one, a few times; more means that two rules undo each other. */
const PLANS_MAX = 50;

export function stepQueue(
  queue: Queue | undefined,
  event: Event,
  output: Output,
): Queue | undefined {
  if (queue === undefined) return event.kind === "queue-opened" ? openQueue(event) : undefined;
  const context = { at: event.at, output };
  const next = tellProof(planned(taken(queue, event, context), context), context);
  reconcile(queue, next, output);
  return next;
}

function planned(queue: Queue, context: Context): Queue {
  let next = queue;
  for (let plans = 0; ; plans += 1) {
    assert(plans < PLANS_MAX, `the queue of ${queue.project} plans in a cycle`);
    const settled = settlePrepared(next);
    const done = carryOut(settled, plan(settled, context.at), context);
    if (done === next) return next;
    next = done;
  }
}

function taken(queue: Queue, event: Event, context: Context): Queue {
  switch (event.kind) {
    case "entry-requested":
      return requestEntry(queue, event, context);
    case "entry-withdrawn":
      return withdrawEntry(queue, event);
    case "entry-removed":
      return removeEntry(queue, event, context);
    case "entry-approved":
      return approveEntry(queue, event);
    case "conflicts-observed":
      return conflictsObserved(queue, event, context);
    case "proof-wanted":
      return proofWanted(queue, event, context);
    case "target-observed":
      return targetObserved(queue, event.target);
    case "candidate-built":
      return candidateBuilt(queue, event, context);
    case "candidate-conflicted":
      return candidateConflicted(queue, event, context);
    case "candidate-checked":
      return candidateChecked(queue, event, context);
    case "target-checked":
      return targetChecked(queue, event, context);
    case "target-looked":
      return targetLooked(queue, event, context);
    case "branch-deleted":
      return branchDeleted(queue, event);
    case "landing-finished":
      return landingFinished(queue, event, context);
    case "queue-paused":
      return { ...queue, paused: { by: event.by, why: event.why, at: event.at } };
    case "queue-resumed":
      return resumed(queue);
    case "daemon-started":
      return triedAnew(queue);
    case "deadline-passed":
      return deadlinePassed(queue, event.at);
    case "clock-jumped":
      return clockJumped(queue, event.gapMs);
    case "effect-failed":
      return effectFailed(queue, event.failed, context);
    default:
      return queue;
  }
}

/**
 * A person resumes the queue: every budget is reset, and entries that counted as red are tried
 * again.
 */
function resumed(queue: Queue): Queue {
  const { target } = queue;
  return {
    ...proofTriedAgain(queue),
    paused: undefined,
    stop: undefined,
    trouble: undefined,
    surveyAt: 0,
    target: target?.proof === "red" ? { ...target, proof: "unknown", fresh: true } : target,
    entries: queue.entries.map(unhindered),
  };
}

const unhindered = (entry: Entry): Entry => ({
  ...entry,
  notBefore: undefined,
  obstacle: undefined,
  troubles: 0,
  holds: 0,
});

export const openQueue = (event: Extract<QueueEvent, { kind: "queue-opened" }>): Queue => ({
  kind: "queue",
  project: event.project,
  nextEntry: 1,
  nextRef: 1,
  entries: [],
  past: [],
  policy: undefined,
  target: undefined,
  stack: [],
  building: undefined,
  landing: undefined,
  survey: undefined,
  surveyAt: undefined,
  conflicts: [],
  rate: NOTHING_KNOWN,
  trouble: undefined,
  paused: undefined,
  stop: undefined,
  records: [],
});
