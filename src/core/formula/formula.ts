// A formula: a task of several steps, as its file describes it. Plain data; what happens to a run
// of it is decided by step-formula.ts.
import type { GateSpec } from "../gate/spec.ts";
import type { Role } from "../task.ts";
import type { Condition } from "./condition.ts";

export type FormulaVar = {
  name: string;
  description: string;
  required: boolean;
  /** Required only where none of these variables is given. */
  requiredUnless?: string[];
  default: string | undefined;
};

export type Formula = {
  name: string;
  description: string;
  version: number;
  /** For its agent steps, where the agent lets one choose. */
  model: string | undefined;
  /** Files of the repository that its agent steps are told to read first. */
  contextFiles: string[];
  vars: FormulaVar[];
  steps: FormulaStep[];
};

export type FormulaStep = {
  id: string;
  title: string;
  description: string;
  needs: string[];
  action: StepAction;
  when: Condition | undefined;
  timeoutMs: number;
  /** Further attempts after the first. */
  retries: number;
};

export type StepAction =
  | { kind: "run"; command: RunCommand }
  /** Something that Pawl implements. */
  | { kind: "builtin"; name: string; with: Record<string, string> }
  /** `escalateMs`: a person is told when it is still open after so long. */
  | { kind: "gate"; gate: GateSpec; escalateMs: number }
  /** Judgement: a session of its own, which the description briefs. */
  | {
      kind: "agent";
      role: Exclude<Role, "dev">;
      output: "result" | "branch" | "either";
      /** Which check of result-check.ts its result must pass. */
      result: string;
      model: string | undefined;
      /** The only files that its branch may change. */
      files?: string[];
    };

/** A shell's text is never changed: variables reach it through its environment. */
export type RunCommand = { kind: "shell"; text: string } | { kind: "argv"; argv: string[] };

/** `issue-title` → `PAWL_VAR_ISSUE_TITLE`. */
export const variableOf = (name: string): string =>
  `PAWL_VAR_${name.toUpperCase().replaceAll("-", "_")}`;
