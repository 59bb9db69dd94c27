// What the routes about formulas answer. Loaded when one of them is asked: reading files of TOML
// would be felt at the start of every other command.
import { planView, resolvedPlan } from "../../api/formula-plan.ts";
import type {
  BuiltinView,
  FiledIssueView,
  FormulaRow,
  FormulaRunView,
  FormulaView,
} from "../../api/formulas.ts";
import type { formulaIssueSchema, formulaWishSchema } from "../../api/formulas.ts";
import { parseFormula } from "../../config/formula/parse-formula.ts";
import type { Formula } from "../../core/formula/formula.ts";
import type { FormulaRun } from "../../core/formula/run.ts";
import { requestName } from "../../core/history-names.ts";
import { formulaAggregate } from "../../core/ids.ts";
import type { Project } from "../../core/project/project.ts";
import { resolveFormula } from "../../core/formula/resolve.ts";
import { OperationError } from "../../lib/operation-error.ts";
import type { z } from "zod";
import { BUILTINS } from "../builtins/registry.ts";
import type { StoreReader } from "../../ports/store.ts";
import { engineOf, type Routes } from "../routes/context.ts";
import { livingRuns } from "../views/find-runs.ts";
import { attemptKeys, formulaRow, formulaRunView } from "../views/formulas.ts";
import { beginFormula, endedFormulaRuns, formulaRuns, lastNamed, unresolved } from "./begin.ts";
import { fileIssue } from "./file-issue.ts";
import { allFormulas, formulaNamed, usable } from "./library.ts";

/** So many of those that ended last are listed. */
const ENDED_MAX = 100;

export const listed = async (routes: Routes, project: Project): Promise<FormulaRow[]> =>
  (await allFormulas(await placeOf(routes, project))).map(formulaRow);

export const builtins = (): BuiltinView[] =>
  Object.entries(BUILTINS).map(([name, { summary }]) => ({ name, summary }));

/** With its variables filled in, where some are given. */
export async function planned(
  routes: Routes,
  project: Project,
  wish: { name: string; vars: Record<string, string> | undefined },
): Promise<FormulaView> {
  const { formula, source } = await formulaNamed(await placeOf(routes, project), wish.name);
  if (wish.vars === undefined) return planView(formula, source);
  const plan = resolvedPlan(formula, { vars: wish.vars, source });
  if (plan.kind === "unresolved") throw unresolved(plan.problems);
  return plan.view;
}

/** Two requests at the same moment are answered one after the other: the second finds the first's. */
let filing: Promise<unknown> = Promise.resolve();

export async function filed(
  routes: Routes,
  project: Project,
  wish: z.output<typeof formulaIssueSchema>,
): Promise<FiledIssueView> {
  const { observe } = engineOf(routes);
  const place = await placeOf(routes, project);
  const { formula } = await formulaNamed(place, wish.name);
  const resolved = resolveFormula(formula, wish.vars);
  if (resolved.kind === "unresolved") throw unresolved(resolved.problems);
  const { vars, key, by } = wish;
  const file = (): Promise<FiledIssueView> =>
    fileIssue(place.own.forge, { formula, vars, key, by });
  const next = filing.then(file, file);
  filing = next;
  const found = await next;
  if (found.made && routes.daemon !== null) observe.nudge(project.name);
  return found;
}

type Wish = z.output<typeof formulaWishSchema>;

export async function begun(routes: Routes, project: Project, wish: Wish): Promise<FormulaRunView> {
  const { store, ports } = routes;
  const { loop } = engineOf(routes);
  const { formula, source } = await wished(routes, project, wish);
  const { vars, key, by } = wish;
  const run = await beginFormula(
    { store, loop, now: () => ports.clock.now() },
    { project: project.name, formula, source, vars, key, by },
  );
  return formulaRunView(run, []);
}

export async function allRuns(routes: Routes, project: Project): Promise<FormulaRunView[]> {
  const { store } = routes;
  const underWay = await formulaRuns(store, project.name);
  const ended = await endedFormulaRuns(store, project.name, ENDED_MAX);
  return Promise.all([...underWay, ...ended].map((run) => viewOf(store, run)));
}

export async function oneRun(
  routes: Routes,
  project: Project,
  named: string,
): Promise<FormulaRunView> {
  return viewOf(routes.store, await runOf(routes, project, named));
}

export async function stopped(
  routes: Routes,
  project: Project,
  wish: { named: string; by: string },
): Promise<FormulaRunView> {
  const run = await runOf(routes, project, wish.named);
  if (run.outcome !== undefined) throw isOver(run);
  const event = { kind: "formula-stopped", at: routes.ports.clock.now(), by: wish.by } as const;
  const to = formulaAggregate(run.project, run.id);
  await engineOf(routes).loop.submit({ to, event });
  return oneRun(routes, project, run.id);
}

async function wished(
  routes: Routes,
  project: Project,
  wish: Pick<Wish, "name" | "text" | "file" | "parts">,
): Promise<{ formula: Formula; source: string }> {
  const { name, text, file = "formula.toml", parts } = wish;
  const find = (one: string) => parts.find((part) => part.name === one);
  return text === undefined
    ? formulaNamed(await placeOf(routes, project), name ?? "")
    : { formula: usable(parseFormula(text, file, find)), source: file };
}

/** With the runs of the agents that its steps have, alive or over. */
async function viewOf(store: StoreReader, run: FormulaRun): Promise<FormulaRunView> {
  const { project } = run;
  const workers = await livingRuns(store, project);
  for (const key of attemptKeys(run)) {
    const query = { kind: "run", project, name: requestName(key), limit: 1 } as const;
    const ended = (await store.named(query)).at(0)?.state;
    if (ended?.kind === "run") workers.push(ended);
  }
  return formulaRunView(run, workers);
}

const placeOf = async (routes: Routes, { name, root }: Project) => ({
  root,
  own: await routes.ports.project(name),
});

/** By its id, or the newest run of the formula of this name. */
async function runOf(routes: Routes, { name }: Project, named: string): Promise<FormulaRun> {
  const { store } = routes;
  const byId = (await store.load(formulaAggregate(name, named)))?.state;
  if (byId?.kind === "formula") return byId;
  const last = await lastNamed(store, name, named);
  const found = [...(await formulaRuns(store, name)), ...(last === undefined ? [] : [last])]
    .filter(({ formula }) => formula.name === named)
    .toSorted((a, b) => a.requestedAt - b.requestedAt)
    .at(-1);
  if (found !== undefined) return found;
  throw new OperationError(`there is no run "${named}" of a formula in project ${name}`, {
    code: "not-found",
    hint: "see `pawl formula status`",
  });
}

const isOver = (run: FormulaRun): OperationError =>
  new OperationError(`cannot stop ${run.id}: it is over`, { code: "run-over" });
