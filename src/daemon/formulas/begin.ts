// Begins a run of a formula: variables filled in, a new id, once per request.
import { formulaAggregate, type ProjectName } from "../../core/ids.ts";
import type { Formula } from "../../core/formula/formula.ts";
import { resolveFormula } from "../../core/formula/resolve.ts";
import type { FormulaRun } from "../../core/formula/run.ts";
import { OperationError } from "../../lib/operation-error.ts";
import { requestName } from "../../core/history-names.ts";
import type { StoredAggregate, StoreReader } from "../../ports/store.ts";
import type { Loop } from "../engine/loop.ts";

export type FormulaWish = {
  project: ProjectName;
  formula: Formula;
  source: string;
  vars: Record<string, string>;
  key: string;
  by: string;
};

/** Others may take the same number at the same moment; each of them loses it once at most. */
const TRIES_MAX = 100;

export async function beginFormula(
  deps: { store: StoreReader; loop: Loop; now: () => number },
  wish: FormulaWish,
): Promise<FormulaRun> {
  const { project, source, key, by } = wish;
  const resolved = resolveFormula(wish.formula, wish.vars);
  if (resolved.kind === "unresolved") throw unresolved(resolved.problems);
  const { formula, vars } = resolved;
  const before = await formulaRuns(deps.store, project);
  const known =
    before.find((run) => run.key === key) ??
    (await lastNamed(deps.store, project, requestName(key)));
  if (known !== undefined) return known;
  const last = await lastNamed(deps.store, project, formula.name);
  const same = [...before, ...(last === undefined ? [] : [last])].filter(
    (run) => run.formula.name === formula.name,
  );
  let number = 1 + Math.max(0, ...same.map(numberOf));
  for (let tries = 0; tries < TRIES_MAX; tries += 1, number += 1) {
    const id = `${formula.name}.${number}`;
    const to = formulaAggregate(project, id);
    if ((await deps.store.load(to)) !== undefined) continue;
    const at = deps.now();
    const about = { at, project, id, key, formula, vars, source, by };
    await deps.loop.submit({ to, event: { kind: "formula-requested", ...about } });
    const stored = (await deps.store.load(to))?.state;
    if (stored?.kind === "formula" && stored.key === key) return stored;
  }
  throw new OperationError(`cannot find a free number for a run of ${formula.name}`, {
    code: "busy",
    retryable: true,
  });
}

/** Those that are under way. */
export const formulaRuns = async (
  store: StoreReader,
  project: ProjectName,
): Promise<FormulaRun[]> => runsIn(await store.aggregates({ project, kind: "formula" }));

/** The one that ended last, by the name of its formula or by its request. */
export const lastNamed = async (
  store: StoreReader,
  project: ProjectName,
  name: string,
): Promise<FormulaRun | undefined> =>
  runsIn(await store.named({ kind: "formula", project, name, limit: 1 })).at(0);

/** Those that ended last, the last end first. */
export async function endedFormulaRuns(
  store: StoreReader,
  project: ProjectName,
  limit: number,
): Promise<FormulaRun[]> {
  const rows = await store.history({ kind: "formula", project, limit });
  const stored = await Promise.all(rows.map(({ id }) => store.load(id)));
  return runsIn(stored.flatMap((one) => one ?? []));
}

const runsIn = (stored: readonly StoredAggregate[]): FormulaRun[] =>
  stored.flatMap(({ state }) => (state.kind === "formula" ? [state] : []));

const numberOf = ({ id }: FormulaRun): number => Number(/\.(\d+)$/.exec(id)?.[1] ?? 0);

export const unresolved = (problems: string[]): OperationError =>
  new OperationError(problems.join("\n"), { code: "usage" });
