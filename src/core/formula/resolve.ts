// A formula with its variables filled in, ready to run: every `{{x}}` is replaced, except in the
// text of a shell, which is never changed. Says what is missing instead of running half of it.
import type { GateSpec } from "../gate/spec.ts";
import type { Formula, FormulaStep, FormulaVar, StepAction } from "./formula.ts";
import { fillTemplate } from "./template.ts";

export type Resolved =
  | { kind: "resolved"; formula: Formula; vars: Record<string, string> }
  | { kind: "unresolved"; problems: string[] };

export function resolveFormula(
  formula: Formula,
  given: Readonly<Record<string, string>>,
): Resolved {
  const known = formula.vars.map(({ name }) => name);
  const strange = Object.keys(given).filter((name) => !known.includes(name));
  const missing = formula.vars.filter(
    (one) => isNeeded(one, given) && one.default === undefined && given[one.name] === undefined,
  );
  if (strange.length + missing.length > 0) {
    const all = known.length === 0 ? "it has none" : `it has ${known.join(", ")}`;
    return {
      kind: "unresolved",
      problems: [
        ...strange.map((name) => `${formula.name} has no variable "${name}": ${all}`),
        ...missing.map(
          ({ name, description, requiredUnless = [] }) =>
            `variable "${name}" is required${description === "" ? "" : ` (${description})`}: give it with --var ${name}=…${requiredUnless.map((other) => `, or ${other}`).join("")}`,
        ),
      ],
    };
  }
  const vars = Object.fromEntries(
    formula.vars.map(({ name, default: value }) => [name, given[name] ?? value ?? ""]),
  );
  return { kind: "resolved", formula: filled(formula, vars), vars };
}

const isNeeded = (
  { required, requiredUnless = [] }: Pick<FormulaVar, "required" | "requiredUnless">,
  given: Readonly<Record<string, string>>,
): boolean =>
  required ||
  (requiredUnless.length > 0 && !requiredUnless.some((one) => (given[one] ?? "") !== ""));

type Fill = (text: string) => string;

function filled(formula: Formula, vars: Record<string, string>): Formula {
  const fill: Fill = (text) => fillTemplate(text, vars);
  return {
    ...formula,
    description: fill(formula.description),
    model: formula.model === undefined ? undefined : fill(formula.model),
    contextFiles: formula.contextFiles.map(fill),
    steps: formula.steps.map((step) => filledStep(step, fill)),
  };
}

const filledStep = (step: FormulaStep, fill: Fill): FormulaStep => ({
  ...step,
  title: fill(step.title),
  description: fill(step.description),
  action: filledAction(step.action, fill),
});

function filledAction(action: StepAction, fill: Fill): StepAction {
  switch (action.kind) {
    case "run": {
      const { command } = action;
      if (command.kind === "shell") return action;
      return { kind: "run", command: { kind: "argv", argv: command.argv.map(fill) } };
    }
    case "builtin":
      return { ...action, with: mapValues(action.with, fill) };
    case "gate":
      return { ...action, gate: filledGate(action.gate, fill) };
    case "agent":
      return { ...action, model: action.model === undefined ? undefined : fill(action.model) };
  }
}

function filledGate(gate: GateSpec, fill: Fill): GateSpec {
  switch (gate.kind) {
    case "timer":
    case "command":
      return gate;
    case "human":
      return { ...gate, question: fill(gate.question) };
    case "mail":
      return { ...gate, about: fill(gate.about) };
    case "ci":
      return { ...gate, of: fill(gate.of) };
    case "pr":
      return { ...gate, pr: fill(gate.pr) };
    case "issue":
      return { ...gate, issue: fill(gate.issue) };
    case "vault":
      return { ...gate, item: fill(gate.item) };
  }
}

const mapValues = (table: Record<string, string>, fill: Fill): Record<string, string> =>
  Object.fromEntries(Object.entries(table).map(([key, value]) => [key, fill(value)]));
