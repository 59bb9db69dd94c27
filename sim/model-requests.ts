// What an agent asks its model through its session's gateway: admitted by the same code that the real
// gateway asks. A request that is refused is not sent; the agent does what it can without it.
import { admit, ended, used } from "../src/core/gateway/meter.ts";
import type { Agent } from "./agents.ts";
import { folderChanged } from "./world.ts";

const REQUESTS = 3;
/** What a request may use at most, by what it says. */
const MOST_TOKENS = 60_000;

export function askModel(agent: Agent): void {
  for (let number = 0; number < REQUESTS; number += 1) askOnce(agent);
}

function askOnce({ world, process }: Agent): void {
  const folder = world.paths.gateway(process.project, process.run, process.epoch);
  const gateway = world.gateways.get(folder);
  if (gateway === undefined) return;
  const { terms, meter } = gateway;
  const at = world.clock.now();
  const most = { tokens: MOST_TOKENS, usd: 0 };
  const admission = admit(meter, { most, limit: world.keyLimit, terms, at });
  if (admission.kind !== "passed") return;
  const tokens = 1_000 + (world.faults.on ? world.prng.tokens.int(20_000) : 0);
  world.tell({ kind: "model-asked", process, tokens });
  const after = ended(used(admission.meter, { tokens, usd: 0 }), admission.number);
  world.gateways.set(folder, { ...gateway, meter: after });
  process.tokens += tokens;
  const told = { v: 1, kind: "usage", tokens: process.tokens, usd: 0, requests: after.requests };
  process.folder.spool.set(`usage-${process.tokens}`, JSON.stringify(told));
  folderChanged(process.folder, false);
}
