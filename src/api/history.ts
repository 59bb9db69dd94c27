// What is over, page by page, as the daemon tells it.
import { z } from "zod";
import { HISTORY_KINDS } from "./choices.ts";

const historyRowSchema = z.object({
  id: z.string(),
  project: z.string(),
  kind: z.enum(HISTORY_KINDS),
  /** What it is called: the number, a task's identity, or an id. */
  reference: z.string(),
  title: z.string(),
  outcome: z.string(),
  started_at: z.string(),
  ended_at: z.string(),
  tokens: z.number(),
  cost_usd: z.number(),
  last_words: z.string(),
});

export const historySchema = z.object({
  rows: z.array(historyRowSchema),
  /** Where the next page begins (`after`); null behind the last one. */
  next: z.string().nullable(),
});

export type HistoryRowView = z.infer<typeof historyRowSchema>;
export type HistoryView = z.infer<typeof historySchema>;
