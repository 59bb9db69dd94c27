// Plugins as they are shown, and their runs.
import { z } from "zod";

export const runPluginSchema = z.strictObject({ by: z.string().min(1).max(200) });

export type PluginView = {
  plugin: string;
  project: string;
  from: string;
  description: string;
  /** `cooldown 1h`, `cron 0 9 * * * UTC`, … */
  gate: string;
  kind: "script" | "prompt" | null;
  parallel: boolean;
  running: boolean;
  runs: number;
  last_end: string | null;
  /** Why it cannot be used. */
  problem: string | null;
};

export type PluginRunView = {
  plugin: string;
  project: string;
  number: number;
  why: string;
  started_at: string;
  ended_at: string | null;
  /** running, succeeded, failed */
  result: string;
  note: string;
};
