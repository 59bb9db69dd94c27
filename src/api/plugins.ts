// Plugins as they are shown, and their runs.
import { z } from "zod";

export const runPluginSchema = z.strictObject({ by: z.string().min(1).max(200) });

export const pluginSchema = z.object({
  plugin: z.string(),
  project: z.string(),
  from: z.string(),
  description: z.string(),
  /** `cooldown 1h`, `cron 0 9 * * * UTC`, … */
  gate: z.string(),
  kind: z.enum(["script", "prompt"]).nullable(),
  parallel: z.boolean(),
  running: z.boolean(),
  /** Of the run in progress: what started it. */
  why: z.string().nullable().optional(),
  /** False where the run in progress is recorded, but begins only when a daemon runs. */
  begun: z.boolean().optional(),
  runs: z.number(),
  last_end: z.string().nullable(),
  /** Why it cannot be used. */
  problem: z.string().nullable(),
});

export const pluginRunSchema = z.object({
  plugin: z.string(),
  project: z.string(),
  number: z.number(),
  why: z.string(),
  started_at: z.string(),
  ended_at: z.string().nullable(),
  /** running, succeeded, failed */
  result: z.string(),
  /** False where it begins only when a daemon runs. */
  begun: z.boolean().optional(),
  note: z.string(),
});

export type PluginView = z.infer<typeof pluginSchema>;
export type PluginRunView = z.infer<typeof pluginRunSchema>;
