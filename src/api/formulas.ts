// Formulas, their plans and their runs, as the API tells them.
import { z } from "zod";

export type FormulaRow = {
  name: string;
  /** The first line of its description. */
  summary: string;
  steps: number;
  from: "built-in" | "project" | "overlay";
  file: string;
  /** Why it cannot be used. */
  problem: string | null;
};

export type StepPlanView = {
  id: string;
  title: string;
  description: string;
  needs: string[];
  kind: "run" | "builtin" | "gate" | "agent";
  /** What it does, in a few words. */
  does: string;
  when: string | null;
  timeout_ms: number;
  retries: number;
};

export type FormulaVarView = {
  name: string;
  description: string;
  required: boolean;
  default: string | null;
};

export type FormulaView = {
  name: string;
  description: string;
  version: number;
  model: string | null;
  source: string;
  context_files: string[];
  vars: FormulaVarView[];
  steps: StepPlanView[];
  /** Ids of steps that can go side by side, in the order of the waves. */
  waves: string[][];
};

/** How far the work of an agent's step is. */
export type NodeView = { impl_complete: boolean; validated: boolean; merged: boolean };

export type StepRunView = StepPlanView & {
  status: "waiting" | "running" | "retrying" | "done" | "failed" | "skipped";
  attempt: number;
  since: string | null;
  ended_at: string | null;
  output: string | null;
  /** What went wrong, or why it was skipped. */
  problem: string | null;
  gate: string | null;
  run: string | null;
  session: string | null;
  node: NodeView | null;
};

export type FormulaRunView = {
  id: string;
  formula: string;
  project: string;
  source: string;
  state: "running" | "waiting" | "done" | "failed" | "stopped";
  reason: string | null;
  by: string;
  cycle: number;
  requested_at: string;
  ended_at: string | null;
  vars: Record<string, string>;
  steps: StepRunView[];
  waves: string[][];
};

export type BuiltinView = { name: string; summary: string };

const TEXT_MAX = 500_000;

const vars = z.record(z.string(), z.string().max(10_000)).default({});

/** By name, or the text of a file of the caller's. */
export const formulaWishSchema = z.object({
  name: z.string().optional(),
  text: z.string().max(TEXT_MAX).optional(),
  file: z.string().optional(),
  vars,
  key: z.string().min(1),
  by: z.string(),
});

/** `made`: false where an open issue asks for the same already. */
export type FiledIssueView = { number: number; made: boolean };

export const formulaIssueSchema = z.object({
  name: z.string(),
  vars,
  key: z.string().min(1),
  by: z.string(),
});

export const stopFormulaSchema = z.object({ by: z.string() });
