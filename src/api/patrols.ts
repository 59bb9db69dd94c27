// Patrols as they are shown: when they last went round, what their steps last did, how the parts
// they watch are, and sessions that have not begun.
import { z } from "zod";
import { COMPONENTS, PATROL_NAMES } from "../core/patrol/patrol.ts";

export const patrolNameSchema = z.enum(PATROL_NAMES);
/** A patrol, or a part of the project that the deacon watches. */
export const restartNameSchema = z.enum([...PATROL_NAMES, ...COMPONENTS]);
export const patrolRequestSchema = z.strictObject({ by: z.string().min(1).max(200) });

const triageSchema = z.object({
  /** On the UTC day `day`. */
  asked: z.number(),
  day: z.string(),
  open: z.array(
    z.object({ letter: z.string(), from: z.string(), subject: z.string(), until: z.string() }),
  ),
  log: z.array(
    z.object({
      at: z.string(),
      letter: z.string(),
      from: z.string(),
      subject: z.string(),
      /** forward, reply, look, dismiss or "no answer". */
      decision: z.string(),
      reason: z.string(),
    }),
  ),
});

export const patrolSchema = z.object({
  patrol: z.string(),
  project: z.string(),
  enabled: z.boolean(),
  /** Null before its first round. */
  last_activity: z.string().nullable(),
  /** Since the daemon started. */
  rounds: z.number(),
  every_s: z.number().nullable(),
  steps: z.array(z.object({ id: z.string(), at: z.string().nullable(), note: z.string() })),
  health: z.array(
    z.object({
      component: z.string(),
      unresponsive_cycles: z.number(),
      last_seen_healthy: z.string().nullable(),
      detail: z.string(),
    }),
  ),
  orphans: z.array(
    z.object({
      key: z.string(),
      what: z.string(),
      since: z.string(),
      settled: z.string().nullable(),
    }),
  ),
  /** Letters that a model judges or judged; null where none ever was asked. */
  triage: triageSchema.nullable(),
});

export const pendingSchema = z.object({
  project: z.string(),
  identity: z.string(),
  run: z.string(),
  epoch: z.number(),
  since_s: z.number(),
  ready: z.boolean(),
  screen: z.string(),
});

export type TriageView = z.infer<typeof triageSchema>;
export type PatrolView = z.infer<typeof patrolSchema>;
export type PendingView = z.infer<typeof pendingSchema>;

export const nudgeSchema = z.strictObject({
  by: z.string().min(1).max(200),
  text: z.string().trim().min(1, "a nudge says something").max(4000),
});
