// What agents have used, summed up, as the daemon tells it.
import { z } from "zod";
import type { COST_KEYS } from "./choices.ts";

export const costSchema = z.object({
  /** The session, run, issue, role, day, model, project or agent. */
  key: z.string(),
  input_tokens: z.number(),
  output_tokens: z.number(),
  cache_read_tokens: z.number(),
  cache_write_tokens: z.number(),
  /** Of all these tokens, those used by agents of the agent. */
  sidechain_tokens: z.number(),
  cost_usd: z.number(),
  /** Of the cost, what is estimated: the agent told tokens and no money. */
  estimated_usd: z.number(),
});

export const budgetSchema = z.object({
  project: z.string(),
  /** `day`, `role dev`, or `run 42.1`. */
  what: z.string(),
  tokens: z.number(),
  tokens_max: z.number().nullable(),
  usd: z.number(),
  /** Of the money, what is estimated. */
  estimated_usd: z.number(),
  usd_max: z.number().nullable(),
  /** It is reached: no agent is started, or a person is asked. */
  spent: z.boolean(),
});

export type BudgetView = z.infer<typeof budgetSchema>;
export type CostView = z.infer<typeof costSchema>;
export type CostsView = {
  by: (typeof COST_KEYS)[number];
  rows: CostView[];
  /** How many more there are, where only those that cost most were asked for. */
  others: number;
  total: CostView;
  /** Of today and of the runs under way; none where pawl.toml has none. */
  budgets: BudgetView[];
};
