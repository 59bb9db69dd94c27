// Answers that steps waited for: a gate that closed, and what an agent has to offer.
import type { Context } from "../context.ts";
import type { Event } from "../event.ts";
import { runAggregate } from "../ids.ts";
import { attemptEnded } from "./attempt.ts";
import type { AttemptOutcome } from "./formula-event.ts";
import { resultProblem } from "./result-check.ts";
import { stateOf, stepNamed, withStep, type FormulaRun } from "./run.ts";
import { attemptOf } from "./start-attempt.ts";

type EventOf<K extends Event["kind"]> = Extract<Event, { kind: K }>;

export function gateAnswered(
  run: FormulaRun,
  event: EventOf<"gate-passed">,
  context: Context,
): FormulaRun {
  const under = attemptOf(run, event.key);
  if (under === undefined) return run;
  const { met, reason } = event;
  const outcome: AttemptOutcome = met
    ? { kind: "done", output: reason }
    : { kind: "failed", problem: reason, output: "" };
  return attemptEnded(run, { ...under, outcome }, context);
}

/** A result is an offer: taken where it passes the step's check, otherwise sent back with why. */
export function agentAnswered(
  run: FormulaRun,
  event: EventOf<"task-finished">,
  context: Context,
): FormulaRun {
  const under = attemptOf(run, event.key);
  const known = under === undefined ? run : remembered(run, under.step, event);
  switch (event.outcome.kind) {
    case "result": {
      const { text } = event.outcome;
      const problem = problemOf(run, under?.step, text);
      if (under !== undefined && problem !== undefined) {
        reply(run, { event, problem }, context);
        return known;
      }
      reply(run, { event, problem: undefined }, context);
      return ended(known, under, { outcome: { kind: "done", output: text }, context });
    }
    case "nothing":
      reply(run, { event, problem: undefined }, context);
      return ended(known, under, { outcome: { kind: "done", output: "" }, context });
    case "landed": {
      const { text, commit } = event.outcome;
      const problem = text === undefined ? undefined : problemOf(run, under?.step, text);
      // The branch is on the target: there is no agent left that could be asked again.
      const outcome: AttemptOutcome =
        problem === undefined
          ? { kind: "done", output: text ?? commit }
          : { kind: "failed", problem: `landed as ${commit}, but ${problem}`, output: text ?? "" };
      return ended(known, under, { outcome, context });
    }
    case "failed": {
      const problem = event.outcome.reason;
      return ended(known, under, { outcome: { kind: "failed", problem, output: "" }, context });
    }
  }
}

function problemOf(run: FormulaRun, step: string | undefined, text: string): string | undefined {
  const action = step === undefined ? undefined : stepNamed(run, step)?.action;
  return action?.kind === "agent" ? resultProblem(action.result, text) : undefined;
}

function remembered(
  run: FormulaRun,
  step: string,
  { run: worker }: EventOf<"task-finished">,
): FormulaRun {
  const state = stateOf(run, step);
  if (state.kind !== "running" || worker === undefined) return run;
  return withStep(run, step, { ...state, run: worker });
}

function ended(
  run: FormulaRun,
  under: { step: string; attempt: number } | undefined,
  { outcome, context }: { outcome: AttemptOutcome; context: Context },
): FormulaRun {
  return under === undefined ? run : attemptEnded(run, { ...under, outcome }, context);
}

/** Also to a run that no step waits for any more: it must not wait for a reply for ever. */
function reply(
  run: FormulaRun,
  answer: { event: EventOf<"task-finished">; problem: string | undefined },
  { at, output }: Context,
): void {
  const { event, problem } = answer;
  if (event.run === undefined) return;
  const to = runAggregate(run.project, event.run);
  const { key } = event;
  output.tells.push({
    to,
    event:
      problem === undefined
        ? { kind: "task-accepted", at, key }
        : { kind: "task-refused", at, key, problem },
  });
}
