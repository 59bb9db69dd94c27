// The fewest gate runs that any plan needs on average which tests prefixes of a queue, knows the
// failure rate and splits red prefixes at the best place. Without the second run of what is blamed.
const BATCH_MAX = 64;

const known = new Map<string, number>();

/** Entries fail independently of each other, each with probability `rate`. */
export function fewestRuns(entries: number, rate: number): number {
  const key = `${entries} ${rate}`;
  const found = known.get(key) ?? fewest(entries, rate).at(-1) ?? 0;
  known.set(key, found);
  return found;
}

/** Per number of entries left: the best first batch, and then the best for what that leaves. */
function fewest(entries: number, rate: number): number[] {
  const pass = (count: number): number => (1 - rate) ** count;
  const runs = [0];
  for (let left = 1; left <= entries; left += 1) {
    const costs = Array.from({ length: Math.min(left, BATCH_MAX) }, (_, index) => {
      const size = index + 1;
      let cost = 1 + pass(size) * (runs[left - size] ?? 0) + searchRuns(size, rate);
      // The first bad entry is found; what stands behind it is as unknown as before.
      for (let bad = 1; bad <= size; bad += 1) {
        cost += pass(bad - 1) * rate * (runs[left - bad] ?? 0);
      }
      return cost;
    });
    runs.push(Math.min(...costs));
  }
  return runs;
}

const searches = new Map<string, number>();

/** Runs of the best search for the first bad entry of a batch, times the chance that there is one. */
function searchRuns(size: number, rate: number): number {
  const key = `${size} ${rate}`;
  const found = searches.get(key);
  if (found !== undefined) return found;
  const chances = Array.from({ length: size }, (_, index) => (1 - rate) ** index * rate);
  const best = bestSearch(chances);
  searches.set(key, best);
  return best;
}

/** The best binary search tree over these chances, in their order. */
function bestSearch(chances: number[]): number {
  const size = chances.length;
  const cost = Array.from({ length: size }, () => Array.from({ length: size }, () => 0));
  for (let width = 2; width <= size; width += 1) {
    for (let from = 0; from + width <= size; from += 1) {
      const to = from + width - 1;
      const sum = chances.slice(from, to + 1).reduce((total, chance) => total + chance, 0);
      const splits = Array.from(
        { length: width - 1 },
        (_, cut) => (cost[from]?.[from + cut] ?? 0) + (cost[from + cut + 1]?.[to] ?? 0),
      );
      const row = cost[from];
      if (row !== undefined) row[to] = sum + Math.min(...splits);
    }
  }
  return cost[0]?.[size - 1] ?? 0;
}
