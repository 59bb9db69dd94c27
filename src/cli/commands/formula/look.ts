// `pawl formula list|show|validate`: looking changes nothing and needs no daemon. A file is read
// and parsed here; names are the daemon's to find.
import { planView, summaryOf } from "../../../api/formula-plan.ts";
import type { BuiltinView, FormulaRow, FormulaView } from "../../../api/formulas.ts";
import { formatProblems } from "../../../config/problem.ts";
import { OperationError } from "../../../lib/operation-error.ts";
import { EXIT, type Deps, type ExitCode } from "../../deps.ts";
import { dotOf } from "../../output/dot.ts";
import { drawPlan } from "../../output/plan.ts";
import { printJson, printRows, type Column } from "../../output/rows.ts";
import { count, harmless, paint } from "../../output/text.ts";
import { inSentences } from "../../output/wrap.ts";
import { formulaIn, isFile, parsedFile } from "./file.ts";

type Json = { json?: true | undefined };
export type Drawn = Json & { dot?: true | undefined };

export async function listFormulas(deps: Deps, options: Json): Promise<void> {
  const rows = await deps.client.get<FormulaRow[]>("/v1/formulas");
  const empty = "there are no formulas";
  const whole = { summary: "`pawl formula show NAME` shows the whole summary" };
  printRows(deps, rows, { columns: columns(deps), json: options.json, empty, whole });
}

const columns = (deps: Deps): Column<FormulaRow>[] => [
  { title: "name", tty: ({ name }) => name },
  {
    title: "steps",
    tty: ({ steps, problem }) => (problem === null ? String(steps) : paint(deps, "red", "broken")),
    pipe: ({ steps, problem }) => (problem === null ? String(steps) : "broken"),
    align: "right",
  },
  { title: "from", tty: ({ from }) => from },
  {
    title: "summary",
    tty: ({ summary, problem, part }) =>
      harmless(problem ?? (part === null ? summary : `${part}: ${summary}`)),
    widthMin: 20,
  },
];

export async function showFormula(deps: Deps, name: string, options: Drawn): Promise<void> {
  printPlan(deps, await planOf(deps, name), options);
}

export function printPlan(deps: Deps, plan: FormulaView, options: Drawn): void {
  if (options.json === true) {
    printJson(deps, plan);
    return;
  }
  if (options.dot === true) {
    deps.stdout(dotOf(plan.name, plan.steps));
    return;
  }
  const waves = count(plan.waves.length, "wave");
  const head = `version ${plan.version} · ${count(plan.steps.length, "step")} in ${waves}`;
  const { stdout } = inSentences(deps);
  stdout(`${paint(deps, "bold", plan.name)} · ${head} · ${plan.source}\n`);
  const summary = summaryOf(plan.description);
  if (summary !== "") stdout(`${harmless(summary)}\n`);
  for (const { name, description, required, default: value } of plan.vars) {
    const says = value === null ? (required ? "required" : "optional") : `default "${value}"`;
    stdout(harmless(`  --var ${name}=…  ${description} (${says})`).trimEnd().concat("\n"));
  }
  deps.stdout(`\n${drawPlan(deps, plan.steps, plan.waves)}`);
}

export async function planOf(deps: Deps, name: string): Promise<FormulaView> {
  if (!isFile(name)) {
    return deps.client.get<FormulaView>(`/v1/formulas/plan/${encodeURIComponent(name)}`);
  }
  return planView(await formulaIn(deps, name), name);
}

/** Every problem on a line of its own, `file:line: what, and what to write instead`. */
export async function validateFormulas(
  deps: Deps,
  names: string[],
  { json }: Json = {},
): Promise<ExitCode> {
  const problems =
    names.length === 0
      ? (await deps.client.get<FormulaRow[]>("/v1/formulas")).flatMap(
          ({ problem }) => problem ?? [],
        )
      : (await Promise.all(names.map((name) => problemsOf(deps, name)))).flat();
  if (json === true) printJson(deps, { valid: problems.length === 0, problems });
  else for (const problem of problems) deps.stdout(`${problem}\n`);
  if (problems.length === 0) {
    deps.stderr(names.length === 0 ? "all formulas are valid\n" : `valid: ${names.join(", ")}\n`);
  }
  return problems.length === 0 ? EXIT.ok : EXIT.failed;
}

async function problemsOf(deps: Deps, name: string): Promise<string[]> {
  if (!isFile(name)) {
    try {
      await planOf(deps, name);
      return [];
    } catch (error) {
      if (error instanceof OperationError && error.code === "formula-invalid") {
        return [error.message];
      }
      throw error;
    }
  }
  const parsed = await parsedFile(deps, name);
  if (parsed.kind === "invalid") return [formatProblems(parsed.problems)];
  if (parsed.kind === "part") return [];
  const builtins = await deps.client.get<BuiltinView[]>("/v1/formulas/builtins");
  const known = builtins.map((one) => one.name);
  return planView(parsed.formula, name).steps.flatMap(({ id, kind, does }) =>
    kind === "builtin" && !known.includes(does)
      ? [`${name}: step "${id}": Pawl has no builtin "${does}". There are ${known.join(", ")}.`]
      : [],
  );
}
