// Facts about runs of formulas.
import type { AggregateId, Commit, ProjectName } from "../ids.ts";
import type { Formula } from "./formula.ts";
import type { FormulaOutcome } from "./run.ts";

export type AttemptOutcome =
  | { kind: "done"; output: string }
  | { kind: "failed"; problem: string; output: string };

export type FormulaEvent =
  | {
      kind: "formula-requested";
      at: number;
      project: ProjectName;
      id: string;
      key: string;
      /** With its variables filled in. */
      formula: Formula;
      vars: Record<string, string>;
      source: string;
      by: string;
      asker?: AggregateId;
      /** What its agents are told besides the formula: Markdown, texts of others quoted in it. */
      context?: string;
      /** A run that has ended starts over under the same id: for recurring runs. */
      renews?: boolean;
    }
  /** The folder for its commands is there, as the target was at this commit. */
  | { kind: "formula-prepared"; at: number; cycle: number; commit: Commit }
  | {
      kind: "step-finished";
      at: number;
      cycle: number;
      step: string;
      attempt: number;
      outcome: AttemptOutcome;
    }
  | { kind: "formula-stopped"; at: number; by: string }
  /** Told to the asker. */
  | { kind: "formula-ended"; at: number; formula: string; cycle: number; outcome: FormulaOutcome };
