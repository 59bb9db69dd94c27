// Keeps what lives have used in the journal's records: transcripts are the agent's own, and may be
// gone tomorrow. One record per life, written over and over, so that repeating it is harmless.
import { setImmediate as nextTurn } from "node:timers/promises";
import { accountOf } from "../../core/agent-choice.ts";
import { dayOf, NOTHING, plus, type Spent } from "../../core/budget.ts";
import { costOf } from "../../adapters/shared/prices.ts";
import type { Prices } from "../../core/config.ts";
import { issueOf, type Run } from "../../core/run/run.ts";
import {
  foldIn,
  LIVES_KEPT_DAYS,
  tokensOf,
  type DayUsage,
  type LifeUsage,
  type Usage,
  type UsageDetail,
  type UsageRow,
} from "../../core/usage.ts";
import { runAggregate, type ProjectName } from "../../core/ids.ts";
import type { RecordWriter, Store, StoreReader } from "../../ports/store.ts";
import { agentEnvironment } from "./recompose-environment.ts";
import type { Paths } from "../host/paths.ts";
import type { Ports } from "../engine/ports.ts";

const COLLECTION = "usage";
/** Of each project and day, the sums of lives that are not kept each any more. */
const DAYS = "usage-days";
const DAY_MS = 24 * 60 * 60_000;
/** In one transaction: others wait for it. */
const FOLDED_AT_ONCE = 50;

export async function recordUsage(
  run: Run,
  { store, ports, paths }: { store: Store; ports: Ports; paths: Paths },
): Promise<LifeUsage | undefined> {
  const { session } = run;
  if (session === undefined) return undefined;
  const { epoch, startedAt } = session;
  const agent = ports.agent(run.config.agent.runtime);
  const place = agentEnvironment(run, epoch, { ports, paths });
  // What passed through the session's gateway is exact, whatever its agent says.
  const counted =
    run.config.gateway === undefined
      ? undefined
      : await ports.gateway.usage(paths.gateway(run.project, run.id, epoch));
  const told =
    counted ??
    (await agent.usage?.({ ...place, since: startedAt })) ??
    toldRows(run, ports.clock.now());
  const rows = told.map((row) => priced(row, run.config.prices));
  if (rows.length === 0 && agent.usage === undefined) return undefined;
  const used: LifeUsage = {
    project: run.project,
    run: run.id,
    issue: issueOf(run),
    role: run.role,
    epoch,
    rows,
    agent: accountOf(run.config.agent),
  };
  const key = `${run.project}/${run.id}:${epoch}`;
  await store.transaction((tx) => tx.records.put(COLLECTION, key, used));
  return used;
}

/** Tokens without money: what the vendor's list makes of them. */
function priced(row: UsageRow, own: Prices | undefined): UsageRow {
  if (row.costUsd > 0 || tokensOf(row) === 0) return row;
  const costUsd = costOf(row.model, row, own);
  return costUsd === undefined ? row : { ...row, costUsd, isEstimate: true };
}

/** Of an agent that only tells a sum, it is not known which tokens they were. */
function toldRows({ spending, session, config }: Run, at: number): UsageRow[] {
  const { life } = spending ?? {};
  if (life === undefined || life.epoch !== session?.epoch) return [];
  // An earlier version kept no more than the sums.
  const told: Spent & UsageDetail = life.told ?? life;
  const parts = told.parts ?? { input: told.tokens, output: 0, cacheRead: 0, cacheWrite: 0 };
  const model = told.model ?? config.agent.model ?? config.agent.runtime;
  return [{ ...parts, day: dayOf(at), model, sidechain: false, costUsd: told.usd }];
}

/** What a life has used, all in all. */
export const spentIn = ({ rows }: LifeUsage): Spent =>
  rows
    .map((row) => ({
      tokens: tokensOf(row),
      usd: row.costUsd,
      ...(row.isEstimate === true ? { estimatedUsd: row.costUsd } : {}),
    }))
    .reduce(plus, NOTHING);

export async function recordedUsage(store: StoreReader): Promise<Usage[]> {
  const days = (await store.records.list<DayUsage[]>(DAYS)).flatMap(({ value }) => value);
  // Thousands of records: everything else of this process has its turn in between.
  await nextTurn();
  const lives = await recordedLives(store);
  await nextTurn();
  return [...days, ...lives];
}

export async function recordedLives(store: StoreReader): Promise<LifeUsage[]> {
  return (await store.records.list<LifeUsage>(COLLECTION)).map(({ value }) => value);
}

/** Old lives become sums of their days, so that what is read does not grow with the years. */
export async function foldUsage(store: Store, now: number): Promise<number> {
  const before = dayOf(now - LIVES_KEPT_DAYS * DAY_MS);
  // What a living run used is written over and over.
  const living = new Set((await store.aggregates({ kind: "run" })).map(({ id }) => id));
  const isOld = ({ project, run, rows }: LifeUsage): boolean =>
    rows.every(({ day }) => day < before) && !living.has(runAggregate(project, run));
  return foldWhere(store, isOld);
}

/** Of a project whose runs are about to be forgotten: what they cost is still known by day. */
export const foldUsageOf = (store: Store, name: ProjectName): Promise<number> =>
  foldWhere(store, ({ project }) => project === name);

async function foldWhere(store: Store, isDue: (life: LifeUsage) => boolean): Promise<number> {
  let folded = 0;
  let after = "";
  for (;;) {
    const page = await store.records.page<LifeUsage>(COLLECTION, { after, limit: FOLDED_AT_ONCE });
    const last = page.at(-1);
    if (last === undefined) return folded;
    after = last.key;
    const old = page.filter(({ value }) => isDue(value)).map(({ key }) => key);
    if (old.length > 0) await store.transaction((tx) => fold(tx.records, old));
    folded += old.length;
    // Everything else of this process has its turn.
    await nextTurn();
  }
}

/** The sum is written with the removal, so that no crash counts a life twice. */
async function fold(records: RecordWriter, keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    const life = (await records.get<LifeUsage>(COLLECTION, key))?.value;
    if (life === undefined) continue;
    for (const row of life.rows) {
      const day = `${life.project}/${row.day}`;
      const sums = (await records.get<DayUsage[]>(DAYS, day))?.value ?? [];
      await records.put(DAYS, day, foldIn(sums, { ...life, rows: [row] }));
    }
    await records.delete(COLLECTION, key);
  }
}
