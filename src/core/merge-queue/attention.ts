// What of the queue only a person can move on: the user's own checkout in the way, or an unapproved
// change of the rules. Pure; for `status`, and for knowing that nothing moves any more.
import { needsApproval } from "./explain.ts";
import type { Waiting } from "./order.ts";
import type { Entry, Queue } from "./queue.ts";
import { inLandingOrder } from "./status.ts";
import { OVERTAKEN_MAX, raceText } from "./stack.ts";
import { isAtWork } from "./view.ts";

export type Attention = {
  kind: "checkout" | "policy" | "race";
  /** Undefined where the whole queue waits. */
  branch: string | undefined;
  /** The one to approve. */
  entry?: number;
  why: string;
};

/** Deadlines that have passed are cleared when they do: what is set still holds. */
const ALWAYS = 0;

export function attentionOf(queue: Queue): Attention[] {
  const { entries, chosen } = inLandingOrder(queue, ALWAYS);
  const whole: Attention[] = isCheckoutInTheWay(queue)
    ? [{ kind: "checkout", branch: undefined, why: queue.trouble?.message ?? "" }]
    : [];
  return [
    ...whole,
    ...raceAttention(queue),
    ...entries.flatMap((entry) => entryAttention(entry, chosen.waiting.get(entry.id))),
  ];
}

function raceAttention({ entries, overtaken }: Queue): Attention[] {
  if (entries.length === 0 || overtaken === undefined) return [];
  if (overtaken.count < OVERTAKEN_MAX) return [];
  return [{ kind: "race", branch: undefined, why: raceText(overtaken) }];
}

function entryAttention(entry: Entry, waiting: Waiting | undefined): Attention[] {
  const { branch } = entry;
  if (waiting?.kind === "operator") {
    return [{ kind: "policy", branch, entry: entry.id, why: needsApproval(waiting.paths) }];
  }
  if (waiting?.kind !== "held" || entry.holds === 0) return [];
  return [{ kind: "checkout", branch, why: waiting.obstacle }];
}

/** The CI infrastructure works (its failures are counted), but the user's checkout is in use. */
const isCheckoutInTheWay = ({ trouble }: Queue): boolean =>
  trouble !== undefined &&
  trouble.count === 0 &&
  trouble.forgeSince === undefined &&
  trouble.until > ALWAYS;

/** True where nothing of it moves before a person acts; also where nothing is queued. */
export function rests(queue: Queue): boolean {
  if (queue.entries.length === 0) return true;
  if (queue.paused !== undefined || queue.stop !== undefined) return true;
  if (isAtWork(queue)) return false;
  if (isCheckoutInTheWay(queue)) return true;
  const { entries, chosen } = inLandingOrder(queue, ALWAYS);
  return entries.every((entry) => isStill(entry, chosen.waiting.get(entry.id)));
}

/** It waits for a person, or for another entry; those are all asked. */
function isStill(entry: Entry, waiting: Waiting | undefined): boolean {
  switch (waiting?.kind) {
    case "held":
      return entry.holds > 0;
    case "operator":
    case "after":
    case "conflict":
    case "policy-change":
      return true;
    default:
      return false;
  }
}
