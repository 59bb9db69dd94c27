// Formulas and gates: a step runs to success at most once, nothing begins before what it needs has
// ended, attempts stay within their budget, and the waiters of a gate are woken in the transaction
// that closes it.
import type { FormulaRun } from "../../src/core/formula/run.ts";
import type { Gate } from "../../src/core/gate/gate.ts";
import type { FailedEffect } from "../../src/core/event.ts";
import { projectOf, type ProjectName } from "../../src/core/ids.ts";
import type { Fact, Journaled } from "../fact.ts";
import { hasStepEnded } from "../seen.ts";
import type { World } from "../world.ts";
import type { Checker } from "./checker.ts";

const NAME = "formulas";

export const formulas = (world: World): Checker => new Formulas(world);

class Formulas implements Checker {
  readonly name = NAME;
  readonly #world: World;
  readonly #runs = new Map<string, FormulaRun>();
  /** By folder of the formula and step: the attempt that succeeded. */
  readonly #succeeded = new Map<string, string>();
  /** Attempts whose outcome could not be read: they count as failed. */
  readonly #givenUp = new Set<string>();

  constructor(world: World) {
    this.#world = world;
  }

  hear(fact: Fact): void {
    if (fact.kind === "journaled") this.#journaled(fact.journaled);
    if (fact.kind === "command-started") this.#started(fact.folder);
    if (fact.kind === "command-ended" && fact.ok) this.#ended(fact.folder);
  }

  #started(folder: string): void {
    const about = placeOf(folder);
    const run = this.#runs.get(`formula:${about?.project}/${about?.id}`);
    if (about === undefined || run === undefined || String(run.cycle) !== about.cycle) return;
    const step = run.formula.steps.find(({ id }) => id === about.step);
    const early = step?.needs.filter((need) => !hasStepEnded(run, need)) ?? [];
    if (early.length === 0) return;
    this.#fail(`${about.step} of ${run.id} began before ${early.join(", ")} had ended`);
  }

  #ended(folder: string): void {
    const about = placeOf(folder);
    if (about === undefined || this.#givenUp.has(folder)) return;
    const key = `${about.project}/${about.id}/${about.cycle}/${about.step}`;
    const before = this.#succeeded.get(key) ?? folder;
    if (before !== folder && !this.#givenUp.has(before)) {
      this.#fail(`${key} ran to success twice: ${before} and ${folder}`);
    }
    this.#succeeded.set(key, folder);
  }

  #journaled({ events, states }: Journaled): void {
    for (const { to, event } of events) {
      if (event.kind === "effect-failed") this.#gaveUp(projectOf(to), event.failed);
    }
    for (const { id, state } of states) {
      if (state.kind !== "formula") continue;
      this.#runs.set(id, state);
      this.#checkBudget(state);
    }
    for (const { state } of states) if (state.kind === "gate") this.#checkWoken(state);
  }

  #gaveUp(project: ProjectName, { obligation: { effect } }: FailedEffect): void {
    if (effect.kind !== "run-command") return;
    const { formula, cycle, step, attempt } = effect;
    const folder = this.#world.paths.formula(project, formula, cycle);
    this.#givenUp.add(`${folder}/${step}.${attempt}`);
  }

  #checkBudget(run: FormulaRun): void {
    for (const step of run.formula.steps) {
      const state = run.steps[step.id];
      if (state !== undefined && "attempt" in state && state.attempt > step.retries + 1) {
        this.#fail(`${step.id} of ${run.id} is tried ${state.attempt} times`);
      }
    }
  }

  #checkWoken(gate: Gate): void {
    for (const waiter of gate.closed === undefined ? [] : gate.waiters) {
      const run = waiter.kind === "step" ? this.#runs.get(waiter.formula) : undefined;
      if (run === undefined || waiter.kind !== "step") continue;
      const asleep = run.formula.steps.find(({ id }) => isAsleep(run, id, waiter.key));
      if (asleep === undefined) continue;
      this.#fail(`gate ${gate.id} is closed, and ${asleep.id} of ${run.id} still waits`);
    }
  }

  #fail(message: string): void {
    this.#world.fail(NAME, message);
  }
}

/** This very attempt at the step is still under way. */
function isAsleep({ steps, cycle }: FormulaRun, step: string, key: string): boolean {
  const state = steps[step];
  return state?.kind === "running" && key.endsWith(`#${cycle}:${step}:${state.attempt}`);
}

function placeOf(folder: string) {
  const match = /\/projects\/([^/]+)\/formulas\/([^/]+)\/(\d+)\/([^/]+)\.\d+[^/]*$/.exec(folder);
  if (match === null) return undefined;
  const [, project = "", id = "", cycle = "", step = ""] = match;
  return { project, id, cycle, step };
}
