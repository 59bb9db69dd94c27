// Keeps what lives have used in the journal's records: transcripts are the agent's own, and may be
// gone tomorrow. One record per life, written over and over, so that repeating it is harmless.
import { dayOf, type Spent } from "../../core/budget.ts";
import type { Run } from "../../core/run/run.ts";
import { issueOf } from "../../core/run/work.ts";
import { tokensOf, type LifeUsage, type UsageRow } from "../../core/usage.ts";
import type { Store, StoreReader } from "../../ports/store.ts";
import { agentEnvironment } from "./agent-environment.ts";
import type { Paths } from "../host/paths.ts";
import type { Ports } from "../engine/ports.ts";

const COLLECTION = "usage";

export async function recordUsage(
  run: Run,
  { store, ports, paths }: { store: Store; ports: Ports; paths: Paths },
): Promise<LifeUsage | undefined> {
  const { session } = run;
  if (session === undefined) return undefined;
  const { epoch, startedAt } = session;
  const agent = ports.agent(run.config.agent.runtime);
  const place = agentEnvironment(run, epoch, { ports, paths });
  const rows =
    (await agent.usage?.({ ...place, since: startedAt })) ?? toldRows(run, ports.clock.now());
  if (rows.length === 0 && agent.usage === undefined) return undefined;
  const used: LifeUsage = {
    project: run.project,
    run: run.id,
    issue: issueOf(run),
    role: run.role,
    epoch,
    rows,
  };
  const key = `${run.project}/${run.id}:${epoch}`;
  await store.transaction((tx) => tx.records.put(COLLECTION, key, used));
  return used;
}

/** An agent that only tells a sum: it is not known which tokens they were. */
function toldRows({ spending, session, config }: Run, at: number): UsageRow[] {
  const { life } = spending ?? {};
  if (life === undefined || life.epoch !== session?.epoch) return [];
  const tokens = { input: life.tokens, output: 0, cacheRead: 0, cacheWrite: 0 };
  const { runtime: model } = config.agent;
  return [{ ...tokens, day: dayOf(at), model, sidechain: false, costUsd: life.usd }];
}

/** What a life has used, all in all. */
export const spentIn = ({ rows }: LifeUsage): Spent => ({
  tokens: rows.reduce((sum, row) => sum + tokensOf(row), 0),
  usd: rows.reduce((sum, row) => sum + row.costUsd, 0),
});

export async function recordedUsage(store: StoreReader): Promise<LifeUsage[]> {
  return (await store.records.list<LifeUsage>(COLLECTION)).map(({ value }) => value);
}
