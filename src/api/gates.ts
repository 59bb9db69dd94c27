// Gates as the API tells them, and what is wished of them.
import { z } from "zod";

export const gateSchema = z.object({
  id: z.string(),
  project: z.string(),
  type: z.string(),
  title: z.string(),
  /** What it waits for, in words. */
  waits_for: z.string(),
  state: z.enum(["open", "overdue", "closed", "refused"]),
  by: z.string(),
  opened_at: z.string(),
  /** When it closes by itself, where it does. */
  due_at: z.string().nullable(),
  escalates_at: z.string().nullable(),
  /** What the last look said. */
  seen: z.string(),
  waiters: z.array(z.string()),
  closed_at: z.string().nullable(),
  closed_by: z.string().nullable(),
  reason: z.string().nullable(),
});

export type GateView = z.infer<typeof gateSchema>;

/** The same keys as in a formula, checked by the same code. */
export const newGateSchema = z.object({
  gate: z.record(z.string(), z.union([z.string(), z.number()])),
  title: z.string().max(200),
  waiters: z.array(z.string().regex(/^[a-z]+-[A-Za-z0-9._-]{1,100}$/)).max(20),
  key: z.string().min(1),
  by: z.string(),
});

export const closeGateSchema = z.object({
  reason: z.string().min(1).max(2000),
  met: z.boolean(),
  by: z.string(),
});
