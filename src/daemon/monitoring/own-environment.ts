// The caller's environment, for an agent that it starts. The caller may be an agent itself: what
// would make the other take itself for a part of it is left out.
import { RUNTIMES } from "../../adapters/runtimes.ts";
import type { Environment } from "./monitor-place.ts";

export function ownEnvironment(env: Environment): Record<string, string> {
  const own: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    const isForeign = RUNTIMES.some(({ monitored }) => monitored?.foreign?.test(name));
    if (value !== undefined && !isForeign) own[name] = value;
  }
  return own;
}
