// The gateways of simulated sessions: what the daemon said of each life, which its agent asks before
// every request (model-requests.ts). They outlive the daemon.
import { dayOf } from "../../src/core/budget.ts";
import { newMeter } from "../../src/core/gateway/meter.ts";
import type { SessionGateway } from "../../src/ports/session-gateway.ts";
import type { World } from "../world.ts";

export const createFakeGateway = (world: World): SessionGateway => ({
  prepare: async ({ folder, terms, spent }) => {
    const known = world.gateways.get(folder);
    // A start that is tried again finds the gateway of a life that may have begun.
    const meter = known?.meter ?? newMeter(spent);
    world.gateways.set(folder, { meter, terms, before: known?.before ?? spent });
    const same = (argv: readonly string[]): string[] => [...argv];
    return { giveKeys: async () => {}, inside: same, outside: same, env: {} };
  },
  steer: async ({ folder, terms }) => {
    const known = world.gateways.get(folder);
    if (known !== undefined) world.gateways.set(folder, { ...known, terms });
  },
  close: async () => {},
  usage: async (folder) => {
    const known = world.gateways.get(folder);
    if (known === undefined) return undefined;
    const input = known.meter.spent.tokens - known.before.tokens;
    const none = { output: 0, cacheRead: 0, cacheWrite: 0, sidechain: false, costUsd: 0 };
    return [{ ...none, input, day: dayOf(world.clock.now()), model: "sim" }];
  },
});
