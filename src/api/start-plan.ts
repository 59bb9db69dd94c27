// What `pawl run` would start, as the daemon tells it.
import { z } from "zod";

export const startPlanSchema = z.object({
  project: z.string(),
  /** Where work goes, whose issues are taken, which agent, which budget. */
  terms: z.array(z.string()),
  /** What happens before the first agent starts. */
  first: z.string().nullable(),
  /** The open issues, in the order they are taken. */
  issues: z.array(
    z.object({ issue: z.number(), title: z.string(), starts: z.boolean(), why: z.string() }),
  ),
  /** What past runs used, each; null where none told. */
  estimate: z
    .object({ runs: z.number(), usd_each: z.number(), tokens_each: z.number() })
    .nullable(),
});

export type StartPlanView = z.infer<typeof startPlanSchema>;
