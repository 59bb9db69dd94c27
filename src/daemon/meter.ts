// Reads what a living session has used, where its run has a budget and its agent keeps books. It
// tells sums and decides nothing; agents that tell by themselves (spool) need no meter.
import { runAggregate } from "../core/ids.ts";
import type { Run } from "../core/run/run.ts";
import type { IntakeDeps } from "./session-intake.ts";
import { recordUsage, spentIn } from "./usage.ts";

/** Books are read whole, so not at every look. */
const METER_MS = 30_000;

/** `now`: a turn is over, and its sum is complete. */
export type Meter = (when: "now" | "if due") => Promise<void>;

export function createMeter({ ports, paths, loop, store }: IntakeDeps, run: Run): Meter {
  const { session, config } = run;
  const keepsBooks = ports.agent(config.agent.runtime).usage !== undefined;
  if (session === undefined || config.budget === undefined || !keepsBooks) return async () => {};
  let readAt = -METER_MS;
  return async (when) => {
    const at = ports.clock.now();
    if (when === "if due" && at - readAt < METER_MS) return;
    readAt = at;
    const used = await recordUsage(run, { store, ports, paths });
    if (used === undefined) return;
    const { epoch } = session;
    const event = { kind: "usage-observed", at, epoch, ...spentIn(used) } as const;
    await loop.submit({ to: runAggregate(run.project, run.id), event });
  };
}
