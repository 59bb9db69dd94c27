// Effects of formulas: the folder their commands run in, the commands themselves, and the steps
// that Pawl implements.
import { join } from "node:path";
import { variableOf, type RunCommand } from "../../core/formula/formula.ts";
import type { AttemptOutcome } from "../../core/formula/formula-event.ts";
import { inputsOf, type FormulaRun } from "../../core/formula/run.ts";
import { assert } from "../../lib/assert.ts";
import { formatDuration } from "../../lib/duration.ts";
import type { CommandOutcome } from "../../ports/commands.ts";
import { BUILTINS } from "../builtins/registry.ts";
import { toolEnvironment } from "../host/environment.ts";
import {
  currentProject,
  wallsOf,
  type EffectContext,
  type EffectOf,
  type Executors,
} from "./executor.ts";

export const formulaEffects: Executors<
  "prepare-formula" | "run-command" | "run-builtin" | "clear-formula"
> = {
  "prepare-formula": async ({ formula, cycle }, context) => {
    const { own, paths, project, now } = context;
    const commit = await own.git.fetchTarget();
    const path = join(paths.formula(project, formula, cycle), "work");
    await own.git.checkout({ commit, path, keep: [], history: false });
    return { kind: "formula-prepared", at: now(), cycle, commit };
  },

  "run-command": async (effect, context) => {
    const { cycle, step, attempt } = effect;
    const outcome = await runCommand(effect, context);
    return { kind: "step-finished", at: context.now(), cycle, step, attempt, outcome };
  },

  "run-builtin": async (effect, context) => {
    const { cycle, step, attempt } = effect;
    const outcome = await runBuiltin(effect, context);
    return { kind: "step-finished", at: context.now(), cycle, step, attempt, outcome };
  },

  "clear-formula": async ({ formula, cycle }, { ports, paths, project }) => {
    await ports.commands.clear(paths.formula(project, formula, cycle));
    return undefined;
  },
};

async function runCommand(
  effect: EffectOf<"run-command">,
  context: EffectContext,
): Promise<AttemptOutcome> {
  const { formula, cycle, step, attempt, timeoutMs } = effect;
  const { paths, project, ports, signal } = context;
  const folder = paths.formula(project, formula, cycle);
  const outcome = await ports.commands.run({
    folder: join(folder, `${step}.${attempt}`),
    argv: argvOf(effect.command),
    cwd: join(folder, "work"),
    env: {
      ...toolEnvironment(),
      ...Object.fromEntries(
        Object.entries(effect.vars).map(([name, value]) => [variableOf(name), value]),
      ),
      PAWL_PROJECT: project,
      PAWL_FORMULA: formula,
      PAWL_STEP: step,
    },
    inputs: inputsOf(await currentFormula(context), step),
    timeoutMs,
    signal,
    walls: await wallsOf(context),
  });
  return judged(outcome, timeoutMs);
}

const argvOf = (command: RunCommand): [string, ...string[]] =>
  command.kind === "shell"
    ? ["sh", "-c", command.text]
    : [command.argv[0] ?? "false", ...command.argv.slice(1)];

function judged(outcome: CommandOutcome, timeoutMs: number): AttemptOutcome {
  const { output, errors } = outcome;
  const failed = (problem: string): AttemptOutcome => {
    const said = lastLines(errors === "" ? output : errors);
    return { kind: "failed", problem: said === "" ? problem : `${problem}: ${said}`, output };
  };
  switch (outcome.kind) {
    case "exited":
      return outcome.code === 0 ? { kind: "done", output } : failed(`exit ${outcome.code}`);
    case "timed-out":
      return failed(`it did not finish within ${formatDuration(timeoutMs)}`);
    case "overflowed":
      return failed("it printed more than Pawl keeps");
    case "lost":
      return failed("it was interrupted, and it is unknown how far it got");
  }
}

const SAID_LINES = 5;
const SAID_MAX = 500;
const lastLines = (text: string): string =>
  text.trim().split("\n").slice(-SAID_LINES).join("\n").slice(-SAID_MAX);

async function runBuiltin(
  effect: EffectOf<"run-builtin">,
  context: EffectContext,
): Promise<AttemptOutcome> {
  const builtin = BUILTINS[effect.name];
  if (builtin === undefined) {
    return { kind: "failed", problem: `Pawl has no builtin "${effect.name}"`, output: "" };
  }
  const { key, project, ports, own, paths, store, now, submit, signal } = context;
  const run = await currentFormula(context);
  const { step, with: inputs } = effect;
  const given = { key, project, run, step, with: inputs, ports, own, paths };
  const formulas = async () => {
    const { root } = await currentProject(context);
    return context.listFormulas({ root, own });
  };
  return builtin.run({ ...given, store, now, submit, signal, fix: context.fix, formulas });
}

async function currentFormula(context: EffectContext): Promise<FormulaRun> {
  const stored = await context.store.load(context.aggregate);
  assert(stored?.state.kind === "formula", `${context.aggregate} is not a run of a formula`);
  return stored.state;
}
