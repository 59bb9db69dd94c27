// The CI infrastructure failed, not the code. It is tried again within a budget, then the queue
// stops and a person is told. An entry that alone makes it fail goes back without delaying the
// others.
import type { Context } from "../context.ts";
import type { FailedEffect } from "../event.ts";
import { isQuarantined, quarantineTitle } from "../quarantine.ts";
import type { TargetFailure } from "../target-proof.ts";
import { greenEnd } from "./batch.ts";
import { select } from "./order.ts";
import { lookBroke } from "./look-at-target.ts";
import { proofBroke, proofGivenUp, proofPostponed } from "./prove.ts";
import { withEntries, type Queue } from "./queue.ts";
import { returnEntry } from "./settle.ts";
import { cutStack } from "./stack.ts";
import { stopQueue } from "./stop.ts";

const RETRY_MS = 30_000;
/** In a row, over all entries. */
const TROUBLES_MAX = 5;
/** With the same entries: from then on each is tested by itself, behind the others. */
const SUSPECT_AT = 2;
const RETURNED_AT = 3;
const SUSPECT_WAIT_MS = 60_000;

/** Counts one more failure: everything pauses for a while, and the budget may be used up. */
export function trouble(queue: Queue, message: string, context: Context): Queue {
  const count = (queue.trouble?.count ?? 0) + 1;
  const next: Queue = {
    ...queue,
    trouble: { count, message, until: context.at + RETRY_MS },
  };
  if (count < TROUBLES_MAX) return next;
  return stopQueue(
    next,
    {
      kind: "trouble",
      why: `CI infrastructure failed ${count} times in a row: ${message}`,
      hint: "fix it, then run `pawl merge-queue resume`",
    },
    context,
  );
}

/** A check could not run. Was it the machine, or one of these entries? */
export function checkBroke(
  queue: Queue,
  broken: { position: number; message: string },
  context: Context,
): Queue {
  const { position, message } = broken;
  const green = greenEnd(queue.stack.slice(0, position), []);
  const suspects = queue.stack.slice(green, position).map((slot) => slot.entry);
  const counted = withEntries(trouble(queue, message, context), suspects, (entry) => ({
    ...entry,
    troubles: entry.troubles + 1,
    solo: entry.solo || entry.troubles + 1 >= SUSPECT_AT,
  }));
  const untested: Queue = {
    ...counted,
    stack: counted.stack.map((slot, index) =>
      index === position - 1 ? { ...slot, test: undefined } : slot,
    ),
  };
  const count = untested.trouble?.count ?? 0;
  return suspects.reduce(
    (next, id) => suspect(next, { id, suspects, message, count }, context),
    untested,
  );
}

function suspect(
  queue: Queue,
  about: { id: number; suspects: number[]; message: string; count: number },
  context: Context,
): Queue {
  const entry = queue.entries.find((other) => other.id === about.id);
  if (entry === undefined || entry.troubles < SUSPECT_AT) return queue;
  // Others were tested well between its own failures: it is the entry.
  if (entry.troubles >= RETURNED_AT && about.count < entry.troubles) {
    const why = `the gates cannot run with ${entry.branch}: ${about.message}`;
    return returnEntry(queue, { entry: entry.id, reason: { kind: "held", why } }, context);
  }
  const others = select(queue, context.at).chosen.some(
    (other) => !about.suspects.includes(other.id),
  );
  const at = queue.stack.findIndex((slot) => slot.entry === entry.id);
  const alone = at === -1 ? queue : cutStack(queue, at);
  if (!others) return alone;
  return withEntries(alone, [entry.id], (held) => ({
    ...held,
    obstacle: about.message,
    notBefore: context.at + SUSPECT_WAIT_MS,
  }));
}

/** Where only the project waits for the target, it is tried again for as long as it waits. */
function targetTrouble(queue: Queue, message: string, context: Context): Queue {
  if (queue.proofAsked === undefined) return trouble(queue, message, context);
  // What the project waits for is tried also while the queue pauses: it needs a pause of its own.
  if (queue.entries.length > 0) return trouble(proofPostponed(queue, context), message, context);
  return proofBroke(queue, brokenTarget(queue, message), context);
}

const brokenTarget = ({ target }: Queue, why: string): TargetFailure => ({
  commit: target?.commit,
  kind: "broken",
  why,
  logTail: "",
  logFile: undefined,
});

const PROOF_KINDS: ReadonlySet<string> = new Set([
  "survey-queue",
  "check-target",
  "look-at-target",
]);

/**
 * The daemon dies of it, or its outcome cannot be taken in: it is not asked for again by itself. What
 * was being landed goes back, so that the others can land; otherwise the queue stops.
 */
function quarantine(queue: Queue, failed: FailedEffect, context: Context): Queue {
  const why = `${quarantineTitle(queue.project, failed)} (${failed.message})`;
  const { landing } = queue;
  const { effect } = failed.obligation;
  if (effect.kind === "land" && landing?.ref === effect.ref) {
    return landing.entries.reduce(
      (next, entry) => returnEntry(next, { entry, reason: { kind: "held", why } }, context),
      cutStack({ ...queue, landing: undefined }, 0),
    );
  }
  const hint =
    "remove the entry with `pawl merge-queue remove`, then run `pawl merge-queue resume`";
  const later = tryLater(queue, failed, context);
  const isProof = PROOF_KINDS.has(effect.kind);
  const next = isProof ? proofGivenUp(later, brokenTarget(queue, why), context) : later;
  return stopQueue(next, { kind: "trouble", why, hint }, context);
}

export const effectFailed = (queue: Queue, failed: FailedEffect, context: Context): Queue =>
  isQuarantined(failed) ? quarantine(queue, failed, context) : tryLater(queue, failed, context);

/** An effect failed for good: its retries are used up. What it was for is asked for again later. */
function tryLater(queue: Queue, failed: FailedEffect, context: Context): Queue {
  const { effect } = failed.obligation;
  const message = failed.hint === undefined ? failed.message : `${failed.message} (${failed.hint})`;
  const { survey, building, landing, target } = queue;
  switch (effect.kind) {
    case "survey-queue":
      if (survey?.ref !== effect.ref) return queue;
      return targetTrouble({ ...queue, survey: undefined, surveyAt: 0 }, message, context);
    case "build-candidate":
      if (building?.ref !== effect.ref) return queue;
      return trouble({ ...queue, building: undefined }, message, context);
    case "check-target":
      if (target?.test?.ref !== effect.ref) return queue;
      return targetTrouble({ ...queue, target: { ...target, test: undefined } }, message, context);
    case "look-at-target":
      return queue.look?.ref === effect.ref ? lookBroke(queue, message, context) : queue;
    case "land":
      // It may have happened all the same: only doing it again can tell.
      if (landing?.ref !== effect.ref) return queue;
      return trouble({ ...queue, landing: { ...landing, ref: undefined } }, message, context);
    case "check-candidate": {
      const index = queue.stack.findIndex((slot) => slot.test?.ref === effect.ref);
      if (index === -1) return queue;
      return checkBroke(queue, { position: index + 1, message }, context);
    }
    default:
      return queue;
  }
}
