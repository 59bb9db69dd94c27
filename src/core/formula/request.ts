// How a run of a formula begins: once per id, and again only where it repeats and has ended.
import type { Context } from "../context.ts";
import { formulaAggregate } from "../ids.ts";
import { advance } from "./advance.ts";
import type { FormulaEvent } from "./formula-event.ts";
import type { FormulaRun } from "./run.ts";

type Requested = Extract<FormulaEvent, { kind: "formula-requested" }>;

export function requestFormula(
  before: FormulaRun | undefined,
  event: Requested,
  context: Context,
): FormulaRun {
  if (before !== undefined && !mayBeginAgain(before, event)) return before;
  const run = newRun(event, (before?.cycle ?? 0) + 1);
  if (run.place === "unneeded") return advance(run, context);
  const aggregate = formulaAggregate(run.project, run.id);
  context.output.effects.push({
    key: `${aggregate}#${run.cycle}:place`,
    lane: `${aggregate}#${run.cycle}:place`,
    effect: { kind: "prepare-formula", formula: run.id, cycle: run.cycle },
  });
  return advance(run, context);
}

const mayBeginAgain = (before: FormulaRun, event: Requested): boolean =>
  event.renews === true && before.outcome !== undefined && before.key !== event.key;

function newRun(event: Requested, cycle: number): FormulaRun {
  const { project, id, key, formula, vars, source, by, asker, at, context } = event;
  const hasCommands = formula.steps.some(({ action }) => action.kind === "run");
  return {
    kind: "formula",
    project,
    id,
    cycle,
    key,
    formula,
    vars,
    source,
    by,
    asker,
    requestedAt: at,
    ...(context === undefined ? {} : { context }),
    place: hasCommands ? "wanted" : "unneeded",
    steps: Object.fromEntries(formula.steps.map((step) => [step.id, { kind: "waiting" }])),
    outcome: undefined,
  };
}
