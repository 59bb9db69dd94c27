// What runs of formulas want done. `cycle` keeps apart what a repeating one did before.
import type { RunCommand } from "./formula.ts";

export type FormulaEffect =
  /** → formula-prepared. A clean checkout of the target, where its commands run. */
  | { kind: "prepare-formula"; formula: string; cycle: number }
  /** → step-finished. One that is under way already, or has ended, is not started again. */
  | {
      kind: "run-command";
      formula: string;
      cycle: number;
      step: string;
      attempt: number;
      command: RunCommand;
      vars: Record<string, string>;
      timeoutMs: number;
    }
  /** → step-finished */
  | {
      kind: "run-builtin";
      formula: string;
      cycle: number;
      step: string;
      attempt: number;
      name: string;
      with: Record<string, string>;
      timeoutMs: number;
    }
  /** → (nothing) Its folder goes. */
  | { kind: "clear-formula"; formula: string; cycle: number };
