// Questions that only a person can answer, and the answer.
import { z } from "zod";

export const escalationSchema = z.object({
  project: z.string(),
  /** Null where a task or a gate asks. */
  issue: z.number().nullable(),
  title: z.string(),
  /** Null where a gate asks. */
  run: z.string().nullable(),
  /** Who asks: an identity, or `gate:ID`. */
  identity: z.string(),
  reason: z.string(),
  since: z.string(),
  /** Without an answer the issue is blocked and the work saved then; null: a gate stays open. */
  deadline: z.string().nullable(),
  phase: z.string().nullable(),
  pr: z.number().nullable(),
  branch: z.string().nullable(),
  alive: z.boolean(),
  /** Its agent is being started: no process of it is known yet. */
  starting: z.boolean().optional(),
  /** Where the agent itself asks: the answer is one of these. */
  choices: z.array(z.string()),
  /** What settles it, where that is no answer. */
  command: z.string().optional(),
});

export type EscalationView = z.infer<typeof escalationSchema>;

export const answerSchema = z.strictObject({
  by: z.string(),
  text: z.string().refine((text) => text.trim() !== "", "an answer is not empty"),
  /** Of the question of a run that was read: another one that is open by now is not answered. */
  since: z
    .string()
    .refine((time) => !Number.isNaN(Date.parse(time)), "not a time")
    .optional(),
});

/** The same with the last lines of the agent's terminal. */
export const escalationWithLogSchema = escalationSchema.extend({ log: z.string() });

export type EscalationWithLogView = z.infer<typeof escalationWithLogSchema>;
