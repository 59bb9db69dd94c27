// Keeps what lives have used in the journal's records: transcripts are the agent's own, and may be
// gone tomorrow. One record per life, written over and over, so that repeating it is harmless.
import type { Run } from "../core/run/run.ts";
import type { LifeUsage } from "../core/usage.ts";
import type { Store, StoreReader } from "../ports/store.ts";
import { agentEnvironment } from "./agent-environment.ts";
import type { Paths } from "./paths.ts";
import type { Ports } from "./ports.ts";

const COLLECTION = "usage";

export async function recordUsage(
  run: Run,
  { store, ports, paths }: { store: Store; ports: Ports; paths: Paths },
): Promise<LifeUsage | undefined> {
  const { session } = run;
  const agent = ports.agent(run.config.agent.runtime);
  if (session === undefined || agent.usage === undefined) return undefined;
  const { epoch, startedAt } = session;
  const place = agentEnvironment(run, epoch, { ports, paths });
  const rows = await agent.usage({ ...place, since: startedAt });
  const used: LifeUsage = {
    project: run.project,
    run: run.id,
    issue: run.issue.number,
    role: run.role,
    epoch,
    rows,
  };
  const key = `${run.project}/${run.id}:${epoch}`;
  await store.transaction((tx) => tx.records.put(COLLECTION, key, used));
  return used;
}

export async function recordedUsage(store: StoreReader): Promise<LifeUsage[]> {
  return (await store.records.list<LifeUsage>(COLLECTION)).map(({ value }) => value);
}
