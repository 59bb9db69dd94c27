// Gates as the API tells them, and what is wished of them.
import { z } from "zod";

export type GateView = {
  id: string;
  project: string;
  type: string;
  title: string;
  /** What it waits for, in words. */
  waits_for: string;
  state: "open" | "overdue" | "closed" | "refused";
  by: string;
  opened_at: string;
  /** When it closes by itself, where it does. */
  due_at: string | null;
  escalates_at: string | null;
  /** What the last look said. */
  seen: string;
  waiters: string[];
  closed_at: string | null;
  closed_by: string | null;
  reason: string | null;
};

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
