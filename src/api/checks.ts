// CI results as the daemon tells them: the last check of each run, gate by gate.
import { z } from "zod";

const gateSchema = z.object({
  gate: z.string(),
  passed: z.boolean(),
  exit_code: z.number().nullable(),
  signal: z.string().nullable(),
  timed_out: z.boolean(),
  reason: z.string().nullable(),
  duration_ms: z.number(),
  /** What the gate's own report says, where it writes one. */
  tests: z
    .object({
      total: z.number(),
      failed: z.number(),
      skipped: z.number(),
      failures: z.array(z.string()),
    })
    .nullable(),
  log_file: z.string(),
  log_tail: z.string(),
});

export type GateView = z.infer<typeof gateSchema>;

export const checkSchema = z.object({
  issue: z.number().nullable(),
  run: z.string(),
  branch: z.string(),
  head: z.string().nullable(),
  tree: z.string().nullable(),
  /** `none`: nothing has been checked yet. */
  state: z.enum(["none", "running", "passed", "failed", "infra"]),
  flaky: z.boolean(),
  remembered: z.boolean(),
  finished_at: z.string().nullable(),
  message: z.string().nullable(),
  failed: z.string().nullable(),
  gates: z.array(gateSchema),
});

export type CheckView = z.infer<typeof checkSchema>;

export const checkLogsSchema = z.array(z.object({ gate: z.string(), text: z.string() }));

export type CheckLogsView = z.infer<typeof checkLogsSchema>;
