// What the factory did in a stretch of time, as the daemon tells it: for `pawl stats` and the plots.
import { z } from "zod";
import { budgetSchema } from "./costs.ts";

const sumsSchema = z.object({
  landed: z.number(),
  /** Runs that were given up, refused, lost or closed. */
  not_landed: z.number(),
  /** From the issue to its landing, the middle one of what landed; null where nothing did. */
  lead_seconds: z.number().nullable(),
  /** Where that time went, on average. */
  waiting_seconds: z.number(),
  working_seconds: z.number(),
  ci_seconds: z.number(),
  review_seconds: z.number(),
  queue_seconds: z.number(),
  /** Checks of branches and of the merge queue; results that were remembered do not count. */
  ci_runs: z.number(),
  ci_runs_per_landing: z.number().nullable(),
  cost_usd: z.number(),
  tokens: z.number(),
});

export const statsSchema = z.object({
  /** Days in UTC, both counted in. */
  from: z.string(),
  to: z.string(),
  project: z.string().nullable(),
  role: z.string().nullable(),
  /** Roles that worked in this time, whichever was asked for. */
  roles: z.array(z.string()),
  days: z.array(sumsSchema.extend({ day: z.string() })),
  total: sumsSchema,
  costs: z.array(
    z.object({
      day: z.string(),
      model: z.string(),
      role: z.string(),
      cost_usd: z.number(),
      tokens: z.number(),
    }),
  ),
  /** What work was held up by, most often first. */
  failures: z.array(z.object({ cause: z.string(), count: z.number() })),
  /** The most entries in the queue and the most sessions alive at once, slice by slice. */
  load: z.array(z.object({ at: z.string(), queue: z.number(), sessions: z.number() })),
  budgets: z.array(budgetSchema),
});

export type StatsSums = z.infer<typeof sumsSchema>;
export type StatsView = z.infer<typeof statsSchema>;
