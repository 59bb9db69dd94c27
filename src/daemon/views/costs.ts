// What agents have used and cost, by the requested grouping.
import type { COST_KEYS } from "../../api/choices.ts";
import type { CostsView, CostView } from "../../api/costs.ts";
import type { ProjectName } from "../../core/ids.ts";
import { sumUsage, tokensOf, totalUsage, type UsageSum } from "../../core/usage.ts";
import type { StoreReader } from "../../ports/store.ts";
import { recordedUsage } from "../sessions/usage.ts";
import { budgetViews } from "./budgets.ts";

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
  const all = await recordedUsage(store);
  const used = project === undefined ? all : all.filter((one) => one.project === project);
  const only = project === undefined ? {} : { project };
  const projects = await store.aggregates({ kind: "project", isBrief: true, ...only });
  const runs = await store.aggregates({ kind: "run", ...only });
  const sums = sumUsage(used, by);
  const rows = limit === undefined || sums.length <= limit ? sums : dearest(sums, limit);
  return {
    by,
    rows: rows.map(costView),
    others: sums.length - rows.length,
    total: costView(totalUsage(used)),
    budgets: budgetViews(
      [...projects, ...runs].map(({ state }) => state),
      now,
    ),
  };
}

const dearest = (sums: UsageSum[], limit: number): UsageSum[] =>
  sums.toSorted((a, b) => b.costUsd - a.costUsd || tokensOf(b) - tokensOf(a)).slice(0, limit);

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
