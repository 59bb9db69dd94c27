// What agents meet when they ask their models: the limit of an account, and silence.
import type { Agent } from "./agents.ts";
import { askModel } from "./model-requests.ts";
import { folderChanged } from "./world.ts";

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** Its account is at its limit: it says so, with an end or without, and waits to be woken. */
export function meetLimit(agent: Agent): void {
  const { world, process } = agent;
  const until = world.clock.now() + world.faults.lengthMs(2 * HOUR_MS);
  const end = world.prng.agents.chance(0.5) ? { until } : {};
  if (world.options.gateway === true) world.keyLimit = { until, reason: "429" };
  const told = { v: 1, kind: "limit", at: world.clock.now(), reason: "429", ...end };
  process.folder.spool.set("limit", JSON.stringify(told));
  folderChanged(process.folder, false);
  // Programs try again by themselves.
  askModel(agent);
}

const SAID_EVERY_MS = 5 * MINUTE_MS;

/** No word of the model for hours, up to four of them; its host says so from time to time. */
export async function beSilent(agent: Agent): Promise<void> {
  const { world, process } = agent;
  const since = world.clock.monotonicMs();
  const until = since + 4 * HOUR_MS - world.faults.lengthMs(4 * HOUR_MS);
  while (process.alive && world.faults.on && world.clock.monotonicMs() < until) {
    const now = world.clock.monotonicMs();
    const silent = Math.round((now - since) / SECOND_MS);
    process.saidWaitingAt = now;
    process.folder.spool.set(
      `waiting-${world.stamp()}`,
      JSON.stringify({ v: 1, kind: "waiting", silent }),
    );
    folderChanged(process.folder, false);
    await world.clock.sleep(SAID_EVERY_MS);
  }
}
