// Proving the bare target for the project: no agent is started where the project's gate fails
// without any change of theirs. The project asks, the queue checks the target (it remembers what it
// landed or proved before), answers, and reports every later change of the answer.
import type { Context } from "../context.ts";
import type { QueueEvent } from "./queue-event.ts";
import { projectAggregate } from "../ids.ts";
import { needsProof, provenBy, type TargetFailure } from "../target-proof.ts";
import type { Queue, Target } from "./queue.ts";

const RETRY_MS = 30_000;
const RETRY_MAX_MS = 600_000;

const NEWLY_ASKED = { failures: 0, notBefore: 0 };

export function proofWanted(
  queue: Queue,
  { look, fresh }: Extract<QueueEvent, { kind: "proof-wanted" }>,
  context: Context,
): Queue {
  const { target } = queue;
  const tried = fresh === true ? proofTriedAgain(queue) : queue;
  const asked: Queue = { ...tried, proofAsked: tried.proofAsked ?? NEWLY_ASKED };
  if (tried.proofGivenUp !== undefined) tellFailed(queue, tried.proofGivenUp, context);
  const again: Queue =
    fresh === true && target !== undefined
      ? {
          ...asked,
          proofAsked: NEWLY_ASKED,
          target: { ...target, proof: "unknown", test: undefined, fresh: true },
        }
      : asked;
  return look === true ? doubted({ ...again, proofAsked: NEWLY_ASKED }) : again;
}

/** The target must be looked at before anything is said of it. */
export const doubted = (queue: Queue): Queue => ({ ...queue, inDoubt: true, surveyAt: 0 });

/** The project waits for an answer, and nothing says to try again later. */
export const isAnswerDue = ({ proofAsked, proofGivenUp }: Queue, now: number): boolean =>
  proofAsked !== undefined && proofGivenUp === undefined && proofAsked.notBefore <= now;

/** Whether the bare target is to be checked now. A paused queue does not keep agents from starting. */
export function isProofDue(queue: Queue, now: number): boolean {
  const { inDoubt, target, policy, landing } = queue;
  if (!isAnswerDue(queue, now) || inDoubt === true || policy === undefined) return false;
  if (target === undefined || target.test !== undefined) return false;
  if (provenBy(policy.ci) !== "gates") return false;
  // What is being landed has passed, and will be the target.
  if (landing?.ref !== undefined) return false;
  return target.proof === "unknown" || target.proof === "broken";
}

/** The proof is tried again with growing pauses, for as long as the project waits. */
export function proofPostponed(queue: Queue, { at }: Pick<Context, "at">): Queue {
  const failures = (queue.proofAsked?.failures ?? 0) + 1;
  const notBefore = at + Math.min(RETRY_MS * 2 ** (failures - 1), RETRY_MAX_MS);
  return { ...queue, proofAsked: { failures, notBefore } };
}

/** The daemon dies of the proof: it is not tried again before a person says so. */
export function proofGivenUp(queue: Queue, failure: TargetFailure, context: Context): Queue {
  const givenUp: Queue = { ...queue, proofGivenUp: failure };
  if (queue.proofAsked === undefined || queue.proofTold === "broken") return givenUp;
  tellFailed(queue, failure, context);
  return { ...givenUp, proofTold: "broken" };
}

/** A person said to continue. */
export function proofTriedAgain(queue: Queue): Queue {
  const { proofGivenUp: _, ...tried } = queue;
  return tried.proofAsked === undefined ? tried : { ...tried, proofAsked: NEWLY_ASKED };
}

/** It could not be checked. */
export function proofBroke(queue: Queue, failure: TargetFailure, context: Context): Queue {
  const { target } = queue;
  const broken: Queue = {
    ...proofPostponed(queue, context),
    target:
      target === undefined ? undefined : { ...target, test: undefined, proof: "broken", failure },
  };
  tellFailed(broken, failure, context);
  return { ...broken, proofTold: "broken" };
}

/** Found red by a version that did not keep the reason. */
const UNEXPLAINED: TargetFailure = {
  commit: undefined,
  kind: "red",
  why: "the gate failed",
  logTail: "",
  logFile: undefined,
};

/** What is known of the target, as the project is to hear it. */
function provenNow(queue: Queue): Target["proof"] | "open" {
  const { target, policy, inDoubt } = queue;
  if (target === undefined || policy === undefined || inDoubt === true) return "unknown";
  if (!needsProof(policy.ci)) return "green";
  return provenBy(policy.ci) === "gates" ? target.proof : saidNow(queue, target);
}

/** `broken`: a failure that was told already, or a verdict that is waited for. */
function saidNow({ look, serverSaid }: Queue, target: Target): Target["proof"] | "open" {
  if (target.proof === "green") return "green";
  if (look !== undefined) return "broken";
  if (serverSaid?.commit !== target.commit) return "unknown";
  const { word } = serverSaid;
  if (word === "green") return "green";
  return word === "open" ? "open" : "broken";
}

/** The target is looked at or checked for the project at this moment. */
export const isProving = ({ proofAsked, survey, target, look }: Queue): boolean =>
  proofAsked !== undefined &&
  (survey !== undefined || target?.test !== undefined || look !== undefined);

/** Called after every step: the project hears what it asked for, and what has changed since. */
export function tellProof(queue: Queue, context: Context): Queue {
  const { proofAsked, proofTold, target } = queue;
  if (proofAsked === undefined && proofTold === undefined) return queue;
  const now = provenNow(queue);
  const isKnown = now === "green" || now === "red";
  // A target that could not be checked has been reported, and the question stays open.
  if (proofAsked !== undefined ? !isKnown : now === proofTold || now === "broken") return queue;
  if (now === "red") tellFailed(queue, target?.failure ?? UNEXPLAINED, context);
  else if (now === "green") tellProject(queue, { kind: "target-proven", at: context.at }, context);
  else tellProject(queue, { kind: "target-unproven", at: context.at }, context);
  const { proofAsked: _asked, ...told } = queue;
  return { ...told, proofTold: now };
}

/**
 * The target moved while it was checked. That it was green a moment ago is enough to start agents:
 * otherwise a busy target would keep them waiting for ever.
 */
export function provenBefore(queue: Queue, context: Context): Queue {
  if (queue.proofAsked === undefined) return queue;
  tellProject(queue, { kind: "target-proven", at: context.at }, context);
  const { proofAsked: _asked, ...told } = queue;
  return { ...told, proofTold: "green" };
}

/** The CI server has no verdict on it. */
export function tellOpen(queue: Queue, why: string, context: Context): Queue {
  const { proofAsked, ...told } = queue;
  if (proofAsked === undefined) return queue;
  tellProject(queue, { kind: "target-open", at: context.at, why }, context);
  return { ...told, proofTold: "open" };
}

export const tellFailed = (queue: Queue, failure: TargetFailure, context: Context): void =>
  tellProject(queue, { kind: "target-failed", at: context.at, failure }, context);

function tellProject(
  { project }: Queue,
  event: Parameters<Context["output"]["tells"]["push"]>[0]["event"],
  { output }: Context,
): void {
  output.tells.push({ to: projectAggregate(project), event });
}
