// What an attempt at a step came to: done, tried again within the step's retries, or failed.
import type { Context } from "../context.ts";
import { advance } from "./advance.ts";
import type { AttemptOutcome } from "./formula-event.ts";
import { stateOf, stepNamed, withStep, type FormulaRun } from "./run.ts";

const BACKOFF_FIRST_MS = 2000;
const BACKOFF_MAX_MS = 60_000;
const OUTPUT_MAX = 64_000;

export function attemptEnded(
  run: FormulaRun,
  ended: { step: string; attempt: number; outcome: AttemptOutcome },
  context: Context,
): FormulaRun {
  const { step: id, attempt, outcome } = ended;
  const state = stateOf(run, id);
  const step = stepNamed(run, id);
  // What an earlier attempt still says changes nothing.
  if (state.kind !== "running" || state.attempt !== attempt || step === undefined) return run;
  const { at } = context;
  const own = state.run === undefined ? {} : { run: state.run };
  const output = clipped(outcome.output);
  if (outcome.kind === "done") {
    const done = { kind: "done", attempt, since: state.since, at, output, ...own } as const;
    return advance(withStep(run, id, done), context);
  }
  const { problem } = outcome;
  if (attempt <= step.retries) {
    const next = { kind: "retrying", attempt, at: at + backoffMs(attempt), problem } as const;
    return advance(withStep(run, id, next), context);
  }
  return advance(
    withStep(run, id, { kind: "failed", attempt, at, problem, output, ...own }),
    context,
  );
}

const backoffMs = (attempt: number): number =>
  Math.min(BACKOFF_FIRST_MS * 2 ** (attempt - 1), BACKOFF_MAX_MS);

/** The end tells most; the journal keeps no more than this. */
function clipped(text: string): string {
  if (text.length <= OUTPUT_MAX) return text;
  return `[pawl: the first ${text.length - OUTPUT_MAX} characters were left out]\n${text.slice(-OUTPUT_MAX)}`;
}
