// What a formula will do, as the API tells it: the same for one that the daemon has and for a file
// that the caller reads.
import type { Formula, FormulaStep, StepAction } from "../core/formula/formula.ts";
import { wavesOf } from "../core/formula/plan.ts";
import { resolveFormula } from "../core/formula/resolve.ts";
import type { GateSpec } from "../core/gate/spec.ts";
import { spanText } from "./spans.ts";
import type { FormulaView, StepPlanView } from "./formulas.ts";

export function planView(formula: Formula, source: string): FormulaView {
  return {
    name: formula.name,
    description: formula.description.trim(),
    version: formula.version,
    model: formula.model ?? null,
    source,
    context_files: formula.contextFiles,
    vars: formula.vars.map((one) => ({ ...one, default: one.default ?? null })),
    steps: formula.steps.map(stepPlan),
    waves: wavesOf(formula.steps).map((wave) => wave.map(({ id }) => id)),
  };
}

/** With its variables filled in, or what is missing. */
export function resolvedPlan(
  formula: Formula,
  about: { vars: Record<string, string>; source: string },
): { kind: "plan"; view: FormulaView } | { kind: "unresolved"; problems: string[] } {
  const resolved = resolveFormula(formula, about.vars);
  if (resolved.kind === "unresolved") return resolved;
  return { kind: "plan", view: planView(resolved.formula, about.source) };
}

export const stepPlan = (step: FormulaStep): StepPlanView => ({
  id: step.id,
  title: step.title,
  description: step.description.trim(),
  needs: step.needs,
  kind: step.action.kind,
  does: doing(step.action),
  when: step.when?.text ?? null,
  timeout_ms: step.timeoutMs,
  retries: step.retries,
});

function doing(action: StepAction): string {
  switch (action.kind) {
    case "run":
      return action.command.kind === "shell"
        ? (action.command.text.trim().split("\n")[0] ?? "")
        : action.command.argv.join(" ");
    case "builtin":
      return action.name;
    case "gate":
      return gateText(action.gate);
    case "agent":
      return action.output === "result" ? "an agent, for a result" : "an agent, for a branch";
  }
}

/** The first line; where it ends inside a sentence, all lines of its paragraph. */
export function summaryOf(description: string): string {
  const [paragraph = ""] = description.trim().split(/\n\s*\n/);
  const [first = "", ...rest] = paragraph.split(/\s*\n\s*/);
  return /[.!?:]$/.test(first) ? first : [first, ...rest].join(" ");
}

export function gateText(gate: GateSpec): string {
  switch (gate.kind) {
    case "timer":
      return `timer, ${spanText(gate.durationMs)}`;
    case "human":
      return `human: ${gate.question}`;
    case "mail":
      return `mail: ${gate.about}`;
    case "ci":
      return `CI of ${gate.of}`;
    case "pr":
      return `PR ${gate.pr}`;
    case "issue":
      return `issue ${gate.issue}`;
    case "command":
      return `command: ${gate.command}`;
    case "vault":
      return `vault: ${gate.item}`;
  }
}
