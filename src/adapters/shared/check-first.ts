// The start of a check comes before other work of the merge queue. A landing and the next candidate
// begin at the same moment as the next check, and each of them starts a dozen programs: every start
// holds up this process for milliseconds. Both have time while the gate runs, so they wait until it does.
// Nothing depends on it: it orders work that may run in any order.
import { setImmediate as nextTurn } from "node:timers/promises";

/** A large checkout takes longer: then both run side by side. */
const WAIT_MAX_MS = 250;
/** What is asked for in the same commit is begun within so many turns of the event loop. */
const TURNS = 3;

/** Checks that are about to start their first command. */
const starting = new Set<Promise<void>>();

/** A check begins; the caller tells when its first command runs, or that none will. */
export function checkStarts(): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  starting.add(promise);
  return () => {
    starting.delete(promise);
    resolve();
  };
}

/** Resolves when no check is about to start, at the latest after a while. */
export async function afterChecksStart(): Promise<void> {
  for (let turn = 0; turn < TURNS; turn += 1) await nextTurn();
  if (starting.size === 0) return;
  const limit = Promise.withResolvers<void>();
  const timer = setTimeout(limit.resolve, WAIT_MAX_MS);
  await Promise.race([Promise.all(starting), limit.promise]);
  clearTimeout(timer);
}
