// Schedules as they are shown.
import { z } from "zod";

export const triggerSchema = z.strictObject({ by: z.string().min(1).max(200) });

export const scheduleSchema = z.object({
  name: z.string(),
  project: z.string(),
  /** As it is written: a cron pattern with its zone, or `every 20 min`. */
  when: z.string(),
  /** `role gardener`, `formula release`. */
  work: z.string(),
  enabled: z.boolean(),
  next: z.string().nullable(),
  /** Since when one is under way. */
  running_since: z.string().nullable(),
  last_at: z.string().nullable(),
  last_result: z.string().nullable(),
  note: z.string(),
  count: z.number(),
});

export type ScheduleView = z.infer<typeof scheduleSchema>;
