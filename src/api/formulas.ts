// Formulas, their plans and their runs, as the API tells them.
import { z } from "zod";

const rowSchema = z.object({
  name: z.string(),
  /** The first line of its description. */
  summary: z.string(),
  steps: z.number(),
  from: z.enum(["built-in", "project", "overlay"]),
  file: z.string(),
  /** A part of other formulas, which cannot be run by itself. */
  part: z.enum(["expansion", "aspect"]).nullable(),
  /** Why it cannot be used. */
  problem: z.string().nullable(),
});

const stepPlanSchema = z.object({
  id: z.string(),
  title: z.string(),
  description: z.string(),
  needs: z.array(z.string()),
  kind: z.enum(["run", "builtin", "gate", "agent"]),
  /** What it does, in a few words. */
  does: z.string(),
  when: z.string().nullable(),
  timeout_ms: z.number(),
  retries: z.number(),
});

const varSchema = z.object({
  name: z.string(),
  description: z.string(),
  required: z.boolean(),
  default: z.string().nullable(),
});

export const formulaSchema = z.object({
  name: z.string(),
  description: z.string(),
  version: z.number(),
  model: z.string().nullable(),
  source: z.string(),
  context_files: z.array(z.string()),
  vars: z.array(varSchema),
  steps: z.array(stepPlanSchema),
  /** Ids of steps that can go side by side, in the order of the waves. */
  waves: z.array(z.array(z.string())),
});

/** How far the work of an agent's step is. */
const nodeSchema = z.object({
  impl_complete: z.boolean(),
  validated: z.boolean(),
  merged: z.boolean(),
});

const stepRunSchema = stepPlanSchema.extend({
  status: z.enum(["waiting", "running", "retrying", "done", "failed", "skipped"]),
  attempt: z.number(),
  since: z.string().nullable(),
  ended_at: z.string().nullable(),
  output: z.string().nullable(),
  /** What went wrong, or why it was skipped. */
  problem: z.string().nullable(),
  gate: z.string().nullable(),
  run: z.string().nullable(),
  session: z.string().nullable(),
  node: nodeSchema.nullable(),
});

export const formulaRunSchema = z.object({
  id: z.string(),
  formula: z.string(),
  project: z.string(),
  source: z.string(),
  state: z.enum(["running", "waiting", "done", "failed", "stopped"]),
  reason: z.string().nullable(),
  by: z.string(),
  cycle: z.number(),
  requested_at: z.string(),
  ended_at: z.string().nullable(),
  vars: z.record(z.string(), z.string()),
  steps: z.array(stepRunSchema),
  waves: z.array(z.array(z.string())),
});

const builtinSchema = z.object({ name: z.string(), summary: z.string() });

export const formulaListSchema = z.array(rowSchema);
export const builtinListSchema = z.array(builtinSchema);

export type FormulaRow = z.infer<typeof rowSchema>;
export type StepPlanView = z.infer<typeof stepPlanSchema>;
export type FormulaView = z.infer<typeof formulaSchema>;
export type NodeView = z.infer<typeof nodeSchema>;
export type StepRunView = z.infer<typeof stepRunSchema>;
export type FormulaRunView = z.infer<typeof formulaRunSchema>;
export type BuiltinView = z.infer<typeof builtinSchema>;

const TEXT_MAX = 500_000;

const vars = z.record(z.string(), z.string().max(10_000)).default({});

/** By name, or the text of a file of the caller's. */
export const formulaWishSchema = z.object({
  name: z.string().optional(),
  text: z.string().max(TEXT_MAX).optional(),
  file: z.string().optional(),
  /** The formulas beside that file which it is made of. */
  parts: z
    .array(z.object({ name: z.string(), text: z.string().max(TEXT_MAX), file: z.string() }))
    .max(50)
    .default([]),
  vars,
  key: z.string().min(1),
  by: z.string(),
});

/** `made`: false where an open issue asks for the same already. */
export const filedIssueSchema = z.object({ number: z.number(), made: z.boolean() });

export type FiledIssueView = z.infer<typeof filedIssueSchema>;

export const formulaIssueSchema = z.object({
  name: z.string(),
  vars,
  key: z.string().min(1),
  by: z.string(),
});

export const stopFormulaSchema = z.object({ by: z.string() });
