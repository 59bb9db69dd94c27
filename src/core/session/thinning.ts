// Which checkpoints are kept as they get older: all of the last hour, then one per ten minutes of
// the last day, then one per hour. The newest of each stretch stays, and the newest of all always.
const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
const TEN_MINUTES_MS = 10 * 60_000;

/** Those of landed work go altogether this long after the landing. */
export const KEPT_AFTER_LANDING_MS = 30 * DAY_MS;

export type DatedCheckpoint = { number: number; at: number };

/** The numbers of those to keep. */
export function keptCheckpoints(all: readonly DatedCheckpoint[], now: number): Set<number> {
  const newestFirst = all.toSorted((a, b) => b.number - a.number);
  const kept = new Set<number>();
  const stretches = new Set<string>();
  for (const { number, at } of newestFirst) {
    const stretch = stretchOf(at, now);
    if (stretch !== undefined && stretches.has(stretch) && kept.size > 0) continue;
    if (stretch !== undefined) stretches.add(stretch);
    kept.add(number);
  }
  return kept;
}

/** Stretches are counted from the epoch, so that a later look draws the same lines. */
function stretchOf(at: number, now: number): string | undefined {
  const ageMs = now - at;
  if (ageMs <= HOUR_MS) return undefined;
  if (ageMs <= DAY_MS) return `ten minutes ${Math.floor(at / TEN_MINUTES_MS)}`;
  return `hour ${Math.floor(at / HOUR_MS)}`;
}
