// How often entries fail, learned from the queue itself, and the batch size that follows from it.
// Pure arithmetic; decision 0005 has the derivation.

/** What was decided so far, as the two weights of a Beta posterior without its prior. */
export type FailureRate = { landed: number; blamed: number };

export const NOTHING_KNOWN: FailureRate = { landed: 0, blamed: 0 };

// One in four, worth four observations: a first batch of two is nearly free where the guess is wrong,
// and batches double from there while everything passes.
const PRIOR = { landed: 3, blamed: 1 };
/** Old observations fade, so that the rate follows a repository that changes. */
const WEIGHT_MAX = 200;
export const STEP_MAX = 64;
/** Group testing beats one by one only below this rate (Ungar 1960). */
const GROUPING_RATE_MAX = (3 - Math.sqrt(5)) / 2;

export function learned(rate: FailureRate, seen: FailureRate): FailureRate {
  const landed = rate.landed + seen.landed;
  const blamed = rate.blamed + seen.blamed;
  const fade = Math.min(1, WEIGHT_MAX / Math.max(1, landed + blamed));
  return { landed: landed * fade, blamed: blamed * fade };
}

export const failureRate = ({ landed, blamed }: FailureRate): number =>
  (blamed + PRIOR.blamed) / (landed + blamed + PRIOR.landed + PRIOR.blamed);

/**
 * Entries per prefix: 0.69/p for one lane. With k lanes the prefixes share the risk; dividing by
 * √k stays within a power of two of every optimum of the simulation (k = 1, 2, 4, 8).
 */
export function stepSize(rate: number, lanes: number): number {
  if (rate >= GROUPING_RATE_MAX) return 1;
  const exponent = Math.round(Math.log2(Math.LN2 / rate / Math.sqrt(lanes)));
  return Math.min(STEP_MAX, 2 ** Math.max(0, exponent));
}

/**
 * Runs to decide a batch of 2^n entries by splitting it in halves. Where the left half of a red batch
 * passes, the right half is bad on top of it and is not tested as a whole again.
 */
export function expectedRunsOfBatch(rate: number, size: number): number {
  return 1 + afterFirst(size);

  function afterFirst(width: number): number {
    if (width === 1) return 0;
    const half = width / 2;
    const pass = (1 - rate) ** half;
    const rest = afterFirst(half);
    return 1 - pass * pass + (1 + pass) * rest + (1 - pass) * (1 + rest);
  }
}

/**
 * What this queue does instead with one lane: after the first bad entry is found, everything
 * behind it goes into the next full batch. Runs per decided entry, never more than the above.
 */
export function expectedRunsPerEntry(rate: number, step: number): number {
  const red = 1 - (1 - rate) ** step;
  const decided = rate === 0 ? step : red / rate;
  return (1 + red * Math.log2(step)) / decided;
}
