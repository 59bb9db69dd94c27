// Schedules as they are shown.
import { z } from "zod";

export const triggerSchema = z.strictObject({ by: z.string().min(1).max(200) });

export type ScheduleView = {
  name: string;
  project: string;
  /** As it is written: a cron pattern with its zone, or `every 20 min`. */
  when: string;
  /** `role gardener`, `formula release`. */
  work: string;
  enabled: boolean;
  next: string | null;
  /** Since when one is under way. */
  running_since: string | null;
  last_at: string | null;
  last_result: string | null;
  note: string;
  count: number;
};
