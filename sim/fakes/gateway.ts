// The gateways of simulated sessions: what the daemon said of each life, which its agent asks before
// every request (model-requests.ts). It outlives the daemon.
import type { SessionGateway } from "../../src/ports/session-gateway.ts";
import type { World } from "../world.ts";

export const createFakeGateway = (world: World): SessionGateway => ({
  prepare: async ({ folder, terms }) => {
    world.terms.set(folder, terms);
    const same = (argv: readonly string[]): string[] => [...argv];
    return { inside: same, outside: same, env: {} };
  },
  steer: async ({ folder, terms }) => {
    world.terms.set(folder, terms);
  },
  usage: async () => undefined,
});
