// The step of a run of a formula: takes in what its steps came to, and begins the next ones.
import type { Context } from "../context.ts";
import type { Output } from "../effect.ts";
import type { Event, FailedEffect } from "../event.ts";
import { formatDuration } from "../../lib/duration.ts";
import { advance, end, hasRoom } from "./advance.ts";
import { agentAnswered, gateAnswered } from "./answers.ts";
import { attemptEnded } from "./attempt.ts";
import { requestFormula } from "./request.ts";
import { isSettled, stateOf, stepNamed, withStep, type FormulaRun, type StepState } from "./run.ts";
import { cancelAttempt, deadlineFrom } from "./start-attempt.ts";

export function stepFormula(
  run: FormulaRun | undefined,
  event: Event,
  output: Output,
): FormulaRun | undefined {
  const context = { at: event.at, output };
  if (event.kind === "formula-requested") return requestFormula(run, event, context);
  if (run === undefined) return run;
  if (event.kind === "task-finished") return agentAnswered(run, event, context);
  if (run.outcome !== undefined) return run;
  switch (event.kind) {
    case "formula-prepared":
      if (event.cycle !== run.cycle || run.place !== "wanted") return run;
      return advance({ ...run, place: "ready" }, context);
    case "step-finished":
      return event.cycle === run.cycle ? attemptEnded(run, event, context) : run;
    case "gate-passed":
      return gateAnswered(run, event, context);
    case "formula-stopped":
      return giveUp(run, "stopped", { ...context, reason: `stopped by ${event.by}` });
    case "deadline-passed":
      return advance(expire(run, context), context);
    case "clock-jumped":
      return shifted(run, event.gapMs);
    case "daemon-started":
      return timedAgain(run, event.at);
    case "effect-failed":
      return effectFailed(run, event.failed, context);
    default:
      return run;
  }
}

/** The next instant at which something of this run is due. */
export function formulaDeadline(run: FormulaRun): number | undefined {
  if (run.outcome !== undefined) return undefined;
  const times = run.formula.steps.flatMap((step) => {
    const state = stateOf(run, step.id);
    if (state.kind === "running") return [state.deadline];
    // Where there is no room, the end of what takes it is what is waited for.
    return state.kind === "retrying" && hasRoom(run, step) ? [state.at] : [];
  });
  return times.length === 0 ? undefined : Math.min(...times);
}

/** Attempts that did not end in time. */
function expire(run: FormulaRun, context: Context): FormulaRun {
  let next = run;
  for (const [id, state] of Object.entries(run.steps)) {
    if (state.kind !== "running" || state.deadline > context.at) continue;
    cancelAttempt(next, id, context);
    const limit = formatDuration(stepNamed(run, id)?.timeoutMs ?? 0);
    const outcome = {
      kind: "failed",
      problem: `it did not finish within ${limit}`,
      output: "",
    } as const;
    next = attemptEnded(next, { step: id, attempt: state.attempt, outcome }, context);
  }
  return next;
}

function effectFailed(run: FormulaRun, failed: FailedEffect, context: Context): FormulaRun {
  const { effect } = failed.obligation;
  if (effect.kind === "prepare-formula" && effect.cycle === run.cycle) {
    return giveUp(run, "failed", { ...context, reason: failed.message });
  }
  if (effect.kind !== "run-command" && effect.kind !== "run-builtin") return run;
  if (effect.cycle !== run.cycle) return run;
  const outcome = { kind: "failed", problem: failed.message, output: "" } as const;
  return attemptEnded(run, { step: effect.step, attempt: effect.attempt, outcome }, context);
}

/** No further step begins, and the steps under way are cancelled. */
function giveUp(
  run: FormulaRun,
  kind: "failed" | "stopped",
  context: Context & { reason: string },
): FormulaRun {
  let next = run;
  for (const [id, state] of Object.entries(run.steps)) {
    if (isSettled(state)) continue;
    cancelAttempt(next, id, context);
    const why = context.reason;
    next = withStep(next, id, { kind: "skipped", at: context.at, why, because: "stopped" });
  }
  return end(next, kind, context);
}

/** A machine that slept gives every attempt the time that it missed. */
function shifted(run: FormulaRun, gapMs: number): FormulaRun {
  return mapSteps(run, (state) => {
    if (state.kind === "running") return { ...state, deadline: state.deadline + gapMs };
    return state.kind === "retrying" ? { ...state, at: state.at + gapMs } : state;
  });
}

/** A step that a new daemon resumes gets its full time again: it was not worked on meanwhile. */
function timedAgain(run: FormulaRun, at: number): FormulaRun {
  return mapSteps(run, (state, id) => {
    const step = stepNamed(run, id);
    if (state.kind !== "running" || step === undefined) return state;
    if (step.action.kind !== "run" && step.action.kind !== "builtin") return state;
    return { ...state, deadline: Math.max(state.deadline, deadlineFrom(step, at)) };
  });
}

function mapSteps(
  run: FormulaRun,
  change: (state: StepState, id: string) => StepState,
): FormulaRun {
  let next = run;
  for (const [id, state] of Object.entries(run.steps)) {
    const changed = change(state, id);
    if (changed !== state) next = withStep(next, id, changed);
  }
  return next;
}
