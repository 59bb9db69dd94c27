// The merge queue as the daemon tells it: the fields of seed 002 under their own names.
import { z } from "zod";

export const entrySchema = z.looseObject({
  id: z.number(),
  identity_name: z.string().nullable(),
  branch: z.string(),
  status: z.string(),
  reason: z.string().nullable().optional(),
  pr_number: z.number().nullable(),
  bead_id: z.string().nullable(),
  requested_at: z.string(),
});

export type EntryView = z.infer<typeof entrySchema>;

export const queueSchema = z.looseObject({
  project: z.string(),
  paused: z.looseObject({ by: z.string(), why: z.string() }).nullable(),
  entries: z.array(entrySchema),
  past: z.array(entrySchema.extend({ left_at: z.string() })),
});

export type QueueView = z.infer<typeof queueSchema>;
