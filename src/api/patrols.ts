// Patrols as they are shown: when they last went round, what their steps last did, how the parts
// they watch are, and sessions that have not begun.
import { z } from "zod";
import { PATROL_NAMES } from "../core/patrol/patrol.ts";

export const patrolNameSchema = z.enum(PATROL_NAMES);
export const patrolRequestSchema = z.strictObject({ by: z.string().min(1).max(200) });

export type PatrolView = {
  patrol: string;
  project: string;
  enabled: boolean;
  /** Null before its first round. */
  last_activity: string | null;
  /** Since the daemon started. */
  rounds: number;
  every_s: number | null;
  steps: { id: string; at: string | null; note: string }[];
  health: {
    component: string;
    unresponsive_cycles: number;
    last_seen_healthy: string | null;
    detail: string;
  }[];
  orphans: { key: string; what: string; since: string; settled: string | null }[];
  /** Letters that a model judges or judged; null where none ever was asked. */
  triage: TriageView | null;
};

export type TriageView = {
  /** On the UTC day `day`. */
  asked: number;
  day: string;
  open: { letter: string; from: string; subject: string; until: string }[];
  log: {
    at: string;
    letter: string;
    from: string;
    subject: string;
    /** forward, reply, look, dismiss or "no answer". */
    decision: string;
    reason: string;
  }[];
};

export type PendingView = {
  project: string;
  identity: string;
  run: string;
  epoch: number;
  since_s: number;
  ready: boolean;
  screen: string;
};

export const nudgeSchema = z.strictObject({
  by: z.string().min(1).max(200),
  text: z.string().trim().min(1, "a nudge says something").max(4000),
});
