// Turns a plan into state: what is now under test, being built, landed or given back. Which effects
// follow from that is for obligations.ts to tell. Returns the same queue where nothing is to do.
import { firstFailure } from "../check.ts";
import type { Context } from "../context.ts";
import { greenEnd } from "./batch.ts";
import type { Plan } from "./plan.ts";
import {
  entryById,
  soloPositions,
  withEntries,
  type Queue,
  type ReturnReason,
  type Slot,
  type Test,
} from "./queue.ts";
import { afterBlame, forgiven } from "./savings.ts";
import { returnEntry } from "./settle.ts";
import { cutStack } from "./stack.ts";
import { stopQueue } from "./stop.ts";

/** How often a red target is looked at again. */
const RED_TARGET_LOOK_MS = 60_000;

export function carryOut(queue: Queue, plan: Plan, context: Context): Queue {
  let next = cutStack(withoutIdleTests(queue), plan.keep);
  if (plan.redTarget) return stopForRedTarget(next, context);
  if (plan.blame !== undefined) {
    const { entry } = plan.blame;
    const rated = afterBlame(next);
    return returnEntry(rated, { entry, reason: blameOf(rated, plan.blame) }, context);
  }
  if (plan.survey !== undefined) next = startSurvey(next, plan.survey, context.at);
  if (plan.build !== undefined) {
    const [test, taken] = newTest(next, context.at);
    next = { ...taken, building: { ...test, ...plan.build } };
  }
  if (plan.prove) next = startProof(next, context.at);
  if (plan.look) next = startLook(next, context.at);
  for (const position of plan.tests) next = startTest(next, position, context.at);
  if (plan.landAgain) next = landAgain(next, context.at);
  return plan.land === undefined ? next : startLanding(next, plan.land, context.at);
}

/** A resolved conflict that is red is a conflict: its author has to merge it, as without a resolver. */
function blameOf(queue: Queue, { entry, outcome }: NonNullable<Plan["blame"]>): ReturnReason {
  const resolved = entryById(queue, entry)?.resolved;
  if (resolved === undefined) return { kind: "tests", outcome };
  const gate = firstFailure(outcome.results)?.gate ?? "a gate";
  const unresolved = `${gate} fails with the conflict resolution of ${resolved.by}`;
  return { kind: "conflict", files: resolved.files, unresolved };
}

function newTest(queue: Queue, at: number): [Test, Queue] {
  return [
    { ref: `${queue.nextRef}`, at },
    { ...queue, nextRef: queue.nextRef + 1 },
  ];
}

/** What is below a green prefix needs no answer any more, and neither does the bare target. */
function withoutIdleTests(queue: Queue): Queue {
  const green = greenEnd(queue.stack, soloPositions(queue));
  if (green === 0) return queue;
  const idle = (slot: Slot, index: number): boolean => slot.test !== undefined && index < green;
  const { target } = queue;
  // Agents wait for it, and what is green may not land for a while.
  const proof = queue.proofAsked !== undefined ? target?.test : undefined;
  if (!queue.stack.some(idle) && target?.test === proof) return queue;
  return {
    ...queue,
    target: target === undefined ? undefined : { ...target, test: proof },
    stack: queue.stack.map((slot, index) =>
      idle(slot, index) ? { ...slot, test: undefined } : slot,
    ),
  };
}

function startSurvey(queue: Queue, entries: number[], at: number): Queue {
  const [test, next] = newTest(queue, at);
  return { ...next, surveyAt: undefined, survey: { ...test, entries, stale: false } };
}

function startProof(queue: Queue, at: number): Queue {
  const [test, next] = newTest(queue, at);
  return next.target === undefined ? next : { ...next, target: { ...next.target, test } };
}

function startLook(queue: Queue, at: number): Queue {
  const [test, next] = newTest(queue, at);
  const { target } = next;
  return target === undefined ? next : { ...next, look: { ...test, commit: target.commit } };
}

function startTest(queue: Queue, position: number, at: number): Queue {
  const [test, next] = newTest(queue, at);
  const stack = next.stack.map((slot, index) =>
    index === position - 1 ? { ...slot, test } : slot,
  );
  return { ...next, stack };
}

function startLanding(queue: Queue, end: number, at: number): Queue {
  const [test, next] = newTest(queue, at);
  const { stack, target } = next;
  const tip = stack[end - 1];
  if (tip === undefined || target === undefined) return queue;
  const entries = stack.slice(0, end).map((slot) => slot.entry);
  const tips = stack.slice(0, end).map((slot) => slot.commit);
  const started: Queue = {
    ...next,
    landing: { ...test, entries, tips, commit: tip.commit, expected: target.commit },
    // What the survey under way says of the target may be from before this landing.
    survey: next.survey === undefined ? undefined : { ...next.survey, stale: true },
  };
  return withEntries(started, entries, (entry) => ({ ...entry, obstacle: undefined }));
}

function landAgain(queue: Queue, at: number): Queue {
  const [test, next] = newTest(queue, at);
  return next.landing === undefined ? queue : { ...next, landing: { ...next.landing, ...test } };
}

function stopForRedTarget(queue: Queue, context: Context): Queue {
  const commit = queue.target?.commit.slice(0, 10) ?? "";
  const stopped = stopQueue(
    queue,
    {
      kind: "red-target",
      why: `the target itself fails its gates at ${commit}: nothing can land, and no entry is blamed`,
      hint: "fix the target; the queue resumes when it moves, or with `pawl merge-queue resume`",
    },
    context,
  );
  return {
    ...cutStack(forgiven(stopped), 0),
    building: undefined,
    surveyAt: context.at + RED_TARGET_LOOK_MS,
  };
}
