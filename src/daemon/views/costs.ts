// What agents have used and cost, by the requested grouping. Read and summed a page at a time: all of it
// at once is megabytes that grow old before they are garbage, and much of the time went into collecting
// them.
import type { COST_KEYS } from "../../api/choices.ts";
import type { CostsView, CostView } from "../../api/costs.ts";
import type { ProjectName } from "../../core/ids.ts";
import {
  sumUsage,
  tokensOf,
  totalUsage,
  type DayUsage,
  type LifeUsage,
  type Usage,
  type UsageSum,
} from "../../core/usage.ts";
import type { StoreReader } from "../../ports/store.ts";
import { compareKeys } from "../../store/key-order.ts";
import { budgetViews } from "./budgets.ts";

/** As sessions/usage.ts writes them: each life of the last days, and the sums of the days before. */
const LIVES = "usage";
const DAYS = "usage-days";
const PAGE = 100;

/** `project`: only its costs; undefined for those of all projects. */
type Query = {
  by: (typeof COST_KEYS)[number];
  project: ProjectName | undefined;
  now: number;
  /** Only so many rows, those that cost most. */
  limit?: number | undefined;
};

export async function costsView(
  store: StoreReader,
  { by, project, now, limit }: Query,
): Promise<CostsView> {
  const { sums, total } = await sumPages(store, { by, project });
  const only = project === undefined ? {} : { project };
  const projects = await store.aggregates({ kind: "project", isBrief: true, ...only });
  const runs = await store.aggregates({ kind: "run", ...only });
  const isAll = limit === undefined || sums.length <= limit;
  const rows = isAll ? sums.toSorted(byKey) : sums.toSorted(dearestFirst).slice(0, limit);
  return {
    by,
    rows: rows.map(costView),
    others: sums.length - rows.length,
    total: costView(total),
    budgets: budgetViews(
      [...projects, ...runs].map(({ state }) => state),
      now,
    ),
  };
}

type Sums = { sums: UsageSum[]; total: UsageSum };

async function sumPages(
  store: StoreReader,
  { by, project }: Pick<Query, "by" | "project">,
): Promise<Sums> {
  const sums = new Map<string, UsageSum>();
  const total = totalUsage([]);
  // In one turn of the event loop: a life that becomes part of its day meanwhile would count twice, or
  // not at all.
  for await (const used of usagePages(store)) {
    const own = project === undefined ? used : used.filter((one) => one.project === project);
    for (const sum of sumUsage(own, by)) {
      const known = sums.get(sum.key);
      if (known === undefined) sums.set(sum.key, sum);
      else addTo(known, sum);
    }
    addTo(total, totalUsage(own));
  }
  return { sums: [...sums.values()], total };
}

async function* usagePages(store: StoreReader): AsyncGenerator<Usage[]> {
  for await (const days of pages<DayUsage[]>(store, DAYS)) yield days.flat();
  yield* pages<LifeUsage>(store, LIVES);
}

async function* pages<T>({ records }: StoreReader, collection: string): AsyncGenerator<T[]> {
  for (let after = ""; ;) {
    const page = await records.page<T>(collection, { after, limit: PAGE });
    const last = page.at(-1);
    if (last === undefined) return;
    yield page.map(({ value }) => value);
    after = last.key;
  }
}

/** Changes the sum in place: no other code has it yet. */
function addTo(sum: UsageSum, more: UsageSum): void {
  sum.input += more.input;
  sum.output += more.output;
  sum.cacheRead += more.cacheRead;
  sum.cacheWrite += more.cacheWrite;
  sum.sidechainTokens += more.sidechainTokens;
  sum.costUsd += more.costUsd;
  sum.estimatedUsd += more.estimatedUsd;
}

const byKey = (a: UsageSum, b: UsageSum): number => compareKeys(a.key, b.key);

const dearestFirst = (a: UsageSum, b: UsageSum): number =>
  b.costUsd - a.costUsd || tokensOf(b) - tokensOf(a) || byKey(a, b);

const costView = (sum: UsageSum): CostView => ({
  key: sum.key,
  input_tokens: sum.input,
  output_tokens: sum.output,
  cache_read_tokens: sum.cacheRead,
  cache_write_tokens: sum.cacheWrite,
  sidechain_tokens: sum.sidechainTokens,
  cost_usd: Math.round(sum.costUsd * 1e6) / 1e6,
  estimated_usd: Math.round(sum.estimatedUsd * 1e6) / 1e6,
});
