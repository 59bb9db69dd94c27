// What a formula's parts must be to each other: ids that differ, needs that exist and go in no
// circle, variables that are declared, conditions about what has ended by then.
import { operandsOf } from "../../core/formula/condition.ts";
import { variableOf, type Formula, type FormulaStep } from "../../core/formula/formula.ts";
import { ancestorsOf, cycleIn } from "../../core/formula/plan.ts";
import { hasChoice, placeholdersIn, templateProblem } from "../../core/formula/template.ts";
import { nearest } from "../nearest.ts";
import { formatKey, type KeyPath } from "../problem.ts";
import { inFile, type Finding, type FormulaFile, type Place } from "./table.ts";

/** A step and where it is written. */
type Placed = Place & { step: FormulaStep };

export function checkFormula(formula: Formula, steps: readonly Placed[]): Finding[] {
  const ids = steps.map(({ step }) => step.id);
  return [
    ...steps.flatMap(({ step, path, within }, index) => {
      const first = ids.indexOf(step.id);
      if (first === index) return [];
      const message = `${formatKey([...path, "id"])} "${step.id}" is used twice. Give each step an id of its own.`;
      return [{ path: [...path, "id"], message, ...inFile(within) }];
    }),
    ...steps.flatMap((placed) => checkNeeds(placed, ids)),
    ...checkCycle(steps),
    ...checkVariables(formula),
    ...checkTexts(formula, steps),
    ...steps.flatMap((placed) => checkWhen(placed, formula)),
  ];
}

function checkNeeds({ step, path, within }: Placed, ids: string[]): Finding[] {
  return step.needs
    .filter((need) => !ids.includes(need))
    .map((need) => {
      const meant = nearest(need, ids);
      const hint =
        meant === undefined ? `Steps are ${ids.join(", ")}.` : `Did you mean "${meant}"?`;
      const message = `step "${step.id}" needs "${need}", which is not a step. ${hint}`;
      return { path: [...path, "needs"], message, ...inFile(within) };
    });
}

function checkCycle(steps: readonly Placed[]): Finding[] {
  const cycle = cycleIn(steps.map(({ step }) => step));
  if (cycle === undefined) return [];
  const at = steps.find(({ step }) => step.id === cycle[0]);
  const message = `steps need each other in a cycle: ${cycle.join(" → ")}. Remove one of these needs.`;
  return [{ path: [...(at?.path ?? []), "needs"], message, ...inFile(at?.within) }];
}

function checkVariables({ vars }: Formula): Finding[] {
  const unknown = vars.flatMap(({ name, requiredUnless = [] }) =>
    requiredUnless
      .filter((other) => !vars.some((one) => one.name === other))
      .map((other) => ({
        path: ["vars", name, "required_unless"],
        message: `vars.${name}.required_unless names "${other}", which is not a variable.`,
      })),
  );
  const equal = vars.flatMap(({ name }, index) => {
    const other = vars.slice(0, index).find((one) => variableOf(one.name) === variableOf(name));
    if (other === undefined) return [];
    const message = `vars.${name} and vars.${other.name} would both be ${variableOf(name)}. Rename one.`;
    return [{ path: ["vars", name], message }];
  });
  return [...unknown, ...equal];
}

function checkTexts(formula: Formula, steps: readonly Placed[]): Finding[] {
  const texts: Text[] = [
    { path: ["description"], text: formula.description },
    { path: ["model"], text: formula.model ?? "" },
    ...formula.contextFiles.map((text) => ({ path: ["context", "files"], text })),
    ...steps.flatMap(textsOf),
  ];
  const known = formula.vars.map(({ name }) => name);
  return [
    ...texts.flatMap(({ path, text, within }) =>
      [
        ...placeholdersIn(text)
          .filter((name) => !known.includes(name))
          .map(
            (name) =>
              `{{${name}}} is not a declared variable. Declare it: [vars.${name}] with a description.`,
          ),
        ...[templateProblem(text)].flatMap((problem) => problem ?? []),
      ].map((message) => ({ path, message, ...inFile(within) })),
    ),
    ...steps.flatMap(checkShell),
  ];
}

type Text = { path: KeyPath; text: string; within?: FormulaFile };

function textsOf({ step, path, within }: Placed): Text[] {
  const at = (key: string, text: string) => ({ path: [...path, key], text, ...inFile(within) });
  const { action } = step;
  const own = [at("title", step.title), at("description", step.description)];
  switch (action.kind) {
    case "run":
      return action.command.kind === "argv"
        ? [...own, ...action.command.argv.map((text) => at("run", text))]
        : own;
    case "builtin":
      return [...own, ...Object.values(action.with).map((text) => at("with", text))];
    case "gate":
      return [...own, at("gate", Object.values(action.gate).map(String).join(" "))];
    case "agent":
      return [...own, at("model", action.model ?? "")];
  }
}

/** A value that became part of a shell's text would be run by it. */
function checkShell({ step, path, within }: Placed): Finding[] {
  const { action } = step;
  const shell =
    action.kind === "run" && action.command.kind === "shell"
      ? { key: "run", text: action.command.text }
      : action.kind === "gate" && action.gate.kind === "command"
        ? { key: "gate", text: action.gate.command }
        : undefined;
  const [name] = shell === undefined ? [] : placeholdersIn(shell.text);
  if (shell === undefined || name === undefined) return [];
  const put = hasChoice(shell.text) ? `{{if ${name}}}` : `{{${name}}}`;
  const message = `step "${step.id}" puts ${put} into a shell's text. Write "$${variableOf(name)}", which the shell gets as a variable.`;
  return [{ path: [...path, shell.key], message, ...inFile(within) }];
}

function checkWhen({ step, path, within }: Placed, formula: Formula): Finding[] {
  if (step.when === undefined) return [];
  const before = ancestorsOf(formula.steps, step.id);
  const known = formula.vars.map(({ name }) => name);
  return operandsOf(step.when.means).flatMap((operand) => {
    const at = [...path, "when"];
    if (operand.kind === "var" && !known.includes(operand.name)) {
      return [
        {
          path: at,
          ...inFile(within),
          message: `when of step "${step.id}" asks for vars.${operand.name}, which is not declared.`,
        },
      ];
    }
    if (operand.kind !== "step" || before.has(operand.step)) return [];
    const message = `when of step "${step.id}" asks about "${operand.step}", which may not have ended by then. Add it to needs.`;
    return [{ path: at, message, ...inFile(within) }];
  });
}
