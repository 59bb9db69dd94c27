// Records what a living session has used, so that `pawl costs` and budgets know it while it works.
// Agents that keep books (transcripts, say) have them read here; of agents that tell a sum through
// the spool, the sum is recorded, with an estimate of its cost where they tell tokens alone. It decides
// nothing.
import { runAggregate } from "../../core/ids.ts";
import type { Run } from "../../core/run/run.ts";
import type { IntakeDeps } from "./session-intake.ts";
import { recordUsage, spentIn } from "./usage.ts";

/** Books are read at every turn's end, and not at every look. */
const METER_MS = 30_000;

/** `now`: the sum has just changed, or a turn is over and its sum is complete. */
export type Meter = (when: "now" | "if due") => Promise<void>;

export function createMeter({ ports, paths, loop, store }: IntakeDeps, run: Run): Meter {
  const { session, config } = run;
  if (session === undefined) return async () => {};
  const { epoch } = session;
  const to = runAggregate(run.project, run.id);
  const keepsBooks = ports.agent(config.agent.runtime).usage !== undefined;
  let readAt = -METER_MS;
  return async (when) => {
    const at = ports.clock.now();
    // A sum that is told comes by itself.
    if (when === "if due" && (!keepsBooks || at - readAt < METER_MS)) return;
    const current = (await store.load(to))?.state;
    if (current?.kind !== "run" || current.session?.epoch !== epoch) return;
    const used = await recordUsage(current, { store, ports, paths });
    // Until the first reply there is nothing in the books: looked at again at the next occasion.
    if (used === undefined || used.rows.length === 0) return;
    readAt = at;
    const spent = spentIn(used);
    const { life } = current.spending ?? {};
    // What an agent tells has reached the run already; what its tokens cost by estimate has not.
    const isNews = spent.usd > (life?.epoch === epoch ? life.usd : 0);
    if (keepsBooks || isNews) {
      await loop.submit({ to, event: { kind: "usage-observed", at, epoch, ...spent } });
    }
  };
}
