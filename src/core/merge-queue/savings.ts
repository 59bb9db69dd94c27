// How many gate runs the queue has saved against testing one by one, and how large a batch that
// allows. Testing one by one takes one run per entry, and a second one before an entry is blamed. A
// batch whose first entry is bad takes more: it is made only as large as the savings can pay for. So
// the queue never needs more runs than one by one, but for the small debt that the first batches need.
import { failureRate, learned, STEP_MAX, stepSize } from "./estimate.ts";
import type { Queue, QueuePolicy } from "./queue.ts";

/** How many runs more than one by one the queue may need before it has been empty again. */
export const DEBT_MAX = 2;
/** Enough for the largest batch; more would let a queue that has become red waste it. */
const SAVED_MAX = Math.log2(STEP_MAX);
/** What testing one by one takes for an entry that is bad: a run, and a second one that confirms it. */
const RUNS_PER_BLAME = 2;

/** `runs`: what deciding these entries one by one takes. */
export const earned = (queue: Queue, runs: number): Queue => ({
  ...queue,
  saved: Math.min(SAVED_MAX, (queue.saved ?? 0) + runs),
});

export const spent = (queue: Queue): Queue => ({ ...queue, saved: (queue.saved ?? 0) - 1 });

/** One entry more was blamed: what one by one takes for it is earned, and the rate is learned. */
export const afterBlame = (queue: Queue): Queue =>
  earned({ ...queue, rate: learned(queue.rate, { landed: 0, blamed: 1 }) }, RUNS_PER_BLAME);

/** The queue ran empty, or what was tested is lost through no fault of a batch: savings are kept. */
export const forgiven = (queue: Queue): Queue =>
  (queue.saved ?? 0) < 0 ? { ...queue, saved: 0 } : queue;

/**
 * Entries in the next batch. `proven`: how many entries have passed and not landed yet; they count as
 * landed, because the next batch is planned before the landing ends.
 */
export function batchSize(queue: Queue, policy: QueuePolicy, proven: number): number {
  if (policy.step !== undefined) return policy.step;
  const best = stepSize(
    failureRate(learned(queue.rate, { landed: proven, blamed: 0 })),
    policy.lanes,
  );
  // Several lanes are asked for to be quicker, at the price of more runs.
  if (policy.lanes > 1) return best;
  // A red batch of s takes log2(s) runs more than one by one, if its first entry is the bad one.
  const payable = Math.min(SAVED_MAX, (queue.saved ?? 0) + proven) + DEBT_MAX;
  return Math.min(best, 2 ** Math.max(0, payable));
}
