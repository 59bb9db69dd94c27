// How often a project is looked at where nothing is known to have changed: the less goes on there and
// the better its forge tells by itself, the less. Decides nothing else, and looks at nothing.
import type { Project } from "../../core/project/project.ts";
import type { Source } from "../webhooks/webhook-health.ts";

/** How often it is asked who is due. */
export const ROUND_MS = 30_000;
/**
 * While no agent works: one request a look, and two more when upstream's target is looked at too.
 */
const IDLE_FORGE = { everyMs: 90_000, targetEveryMs: 600_000 };
/** Where the forge tells by itself, a look is a safety net. */
const TOLD_MS = { idle: 3_600_000, active: 600_000 };

/** After a look that failed, also where the forge tells by itself: it told of something, perhaps. */
export const AGAIN_MS = 90_000;

export type Rhythm = {
  everyMs: number;
  /** Looks in between leave the target alone. */
  targetEveryMs: number;
};

export function rhythmOf(
  { config, active }: Pick<Project, "config" | "active">,
  source: Source["kind"],
): Rhythm {
  const isIdle = config?.forge !== undefined && active.length === 0;
  if (source === "webhook") {
    return { everyMs: isIdle ? TOLD_MS.idle : TOLD_MS.active, targetEveryMs: 0 };
  }
  return isIdle ? IDLE_FORGE : { everyMs: ROUND_MS, targetEveryMs: 0 };
}
