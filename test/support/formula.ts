// Drives a run of a formula through its step function: facts in, what it wants done out.
import { parseFormula } from "../../src/config/formula/parse-formula.ts";
import { formatProblems } from "../../src/config/problem.ts";
import { emptyOutput, type Effect, type Output, type Tell } from "../../src/core/effect.ts";
import type { Event } from "../../src/core/event.ts";
import type { Formula } from "../../src/core/formula/formula.ts";
import { resolveFormula } from "../../src/core/formula/resolve.ts";
import type { FormulaRun } from "../../src/core/formula/run.ts";
import { stepFormula } from "../../src/core/formula/step-formula.ts";
import { projectName, type AggregateId } from "../../src/core/ids.ts";

export const PROJECT = projectName("toy");
export const START = 1_000_000;

export function formulaOf(toml: string): Formula {
  const parsed = parseFormula(toml, "test.toml");
  if (parsed.kind === "valid") return parsed.formula;
  throw new Error(parsed.kind === "invalid" ? formatProblems(parsed.problems) : parsed.kind);
}

export class FormulaWorld {
  run: FormulaRun;
  now = START;
  wanted: Output["effects"] = [];
  cancelled: string[] = [];
  tells: Tell[] = [];

  constructor(
    formula: Formula,
    options: { vars?: Record<string, string>; asker?: AggregateId } = {},
  ) {
    const resolved = resolveFormula(formula, options.vars ?? {});
    if (resolved.kind === "unresolved") throw new Error(resolved.problems.join("\n"));
    const { vars } = resolved;
    const asker = options.asker === undefined ? {} : { asker: options.asker };
    const about = { project: PROJECT, id: "f.1", key: "k", source: "test", by: "ada", ...asker };
    this.run = this.#step(undefined, {
      kind: "formula-requested",
      at: this.now,
      formula: resolved.formula,
      vars,
      ...about,
    });
    if (this.run.place === "wanted") this.prepared();
  }

  prepared(): void {
    const commit = "c0" as never;
    this.tell({ kind: "formula-prepared", at: this.now, cycle: this.run.cycle, commit });
  }

  tell(event: Event): void {
    this.run = this.#step(this.run, event);
  }

  /** `step` has come to this, in the attempt it is in. */
  ended(step: string, output: string | { problem: string } = ""): void {
    const state = this.run.steps[step];
    const attempt = state !== undefined && "attempt" in state ? state.attempt : 0;
    const { cycle } = this.run;
    const outcome =
      typeof output === "string"
        ? ({ kind: "done", output } as const)
        : ({ kind: "failed", problem: output.problem, output: "" } as const);
    this.tell({ kind: "step-finished", at: this.now, cycle, step, attempt, outcome });
  }

  wait(ms: number): void {
    this.now += ms;
    this.tell({ kind: "deadline-passed", at: this.now });
  }

  /** `id: kind` of every step. */
  states(): Record<string, string> {
    return Object.fromEntries(Object.entries(this.run.steps).map(([id, { kind }]) => [id, kind]));
  }

  effects(): Effect[] {
    return this.wanted.map(({ effect }) => effect);
  }

  #step(run: FormulaRun | undefined, event: Event): FormulaRun {
    const output = emptyOutput();
    const next = stepFormula(run, event, output);
    if (next === undefined) throw new Error("the run is gone");
    this.wanted.push(...output.effects);
    this.cancelled.push(...output.cancelled);
    this.tells.push(...output.tells);
    return next;
  }
}
