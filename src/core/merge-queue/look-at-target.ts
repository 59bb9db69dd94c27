// What a CI server says of the bare target, where only a server judges: looked at for the project,
// before it starts agents. A look starts nothing on the server and waits for nothing. Only a known red
// keeps agents from starting: without a verdict they start, unless the target was red before. Then a
// new verdict is waited for, as long as the server may take for one.
import type { ServerWord } from "../check.ts";
import type { Context } from "../context.ts";
import type { Commit } from "../ids.ts";
import { provenBy, serverFailure, type TargetFailure } from "../target-proof.ts";
import { provenBefore, tellFailed, tellOpen } from "./prove.ts";
import type { Queue, ServerSaid } from "./queue.ts";

/** Whether the server is to be looked at now. A paused queue does not keep agents from starting. */
export function isLookDue(queue: Queue, now: number): boolean {
  const { proofAsked, proofGivenUp, inDoubt, policy, target, look, landing, serverSaid } = queue;
  if (proofAsked === undefined || proofGivenUp !== undefined || inDoubt === true) return false;
  if (policy === undefined || target === undefined || look !== undefined) return false;
  if (provenBy(policy.ci) !== "server" || target.proof === "green") return false;
  // What is being landed has passed, and will be the target.
  if (landing?.ref !== undefined) return false;
  if (serverSaid?.commit !== target.commit) return true;
  return serverSaid.word !== "green" && proofAsked.notBefore <= now;
}

export function targetLooked(
  before: Queue,
  { ref, word }: { ref: string; word: ServerWord },
  context: Context,
): Queue {
  const { look, ...queue } = before;
  if (look?.ref !== ref) return before;
  const { commit } = look;
  const isMoved = commit !== queue.target?.commit;
  switch (word.kind) {
    case "passed": {
      const said: Queue = { ...queue, serverSaid: { commit, word: "green" } };
      return isMoved ? provenBefore(said, context) : said;
    }
    case "failed": {
      const redUntil = context.at + limitsOf(queue).timeoutMs;
      const said: ServerSaid = { commit, word: "red", redUntil };
      return failed(queue, said, { failure: serverFailure(commit, word), context });
    }
    case "open":
      return open(queue, { commit, why: word.why }, context);
  }
}

/** It could not be asked, and asking again at once does not help. */
export function lookBroke(before: Queue, why: string, context: Context): Queue {
  const { look, ...queue } = before;
  if (look === undefined) return before;
  const { commit } = look;
  const failure: TargetFailure = { commit, kind: "broken", why, logTail: "", logFile: undefined };
  const said: ServerSaid = { commit, word: "broken", ...redBefore(queue) };
  return failed(queue, said, { failure, context });
}

const redBefore = ({ serverSaid }: Queue): Pick<ServerSaid, "redUntil"> =>
  serverSaid?.redUntil === undefined ? {} : { redUntil: serverSaid.redUntil };

const limitsOf = ({ policy }: Queue): { timeoutMs: number; pollMs: number } =>
  policy?.ci.server ?? { timeoutMs: 0, pollMs: 0 };

/** The project hears it, and it is looked at again for as long as the project waits. */
function failed(
  queue: Queue,
  serverSaid: ServerSaid,
  { failure, context }: { failure: TargetFailure; context: Context },
): Queue {
  const said: Queue = { ...queue, serverSaid };
  // A landing has answered meanwhile.
  if (said.proofAsked === undefined) return said;
  tellFailed(said, failure, context);
  return { ...again(said, context), proofTold: "broken" };
}

function open(
  queue: Queue,
  { commit, why }: { commit: Commit; why: string },
  context: Context,
): Queue {
  const { redUntil = 0 } = queue.serverSaid ?? {};
  const serverSaid: ServerSaid = { commit, word: "open" };
  if (redUntil > context.at) {
    return again({ ...queue, serverSaid: { ...serverSaid, redUntil } }, context);
  }
  return tellOpen({ ...queue, serverSaid }, why, context);
}

/** After a pause, at the target that is there then: a fix of it is a new one. */
function again(queue: Queue, context: Context): Queue {
  if (queue.proofAsked === undefined) return queue;
  const pauseMs = Math.max(1, limitsOf(queue).pollMs);
  return { ...queue, inDoubt: true, proofAsked: { failures: 0, notBefore: context.at + pauseMs } };
}
