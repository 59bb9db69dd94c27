// A run whose work is a task: the agent's result is offered to the asker, which accepts it
// or says what is wrong; a refused one goes back to the agent, three times. The asker is answered
// exactly once in the end: accepted, landed or failed.
import type { Context } from "../context.ts";
import * as say from "../words/messages.ts";
import type { Task, TaskOutcome } from "../task.ts";
import { finish, owesNothing, block } from "./clear.ts";
import { post } from "./message.ts";
import { isActive, type Run, type TaskWork } from "./run.ts";
import { tellAsker } from "./tell.ts";

const REFUSALS_MAX = 3;

/** The agent says it is done, and has no commits that could land: what it wrote is its answer. */
export function offer(run: Run, work: TaskWork, context: Context): Run {
  const { task, result } = work;
  if (result === undefined && task.output === "result") return refuse(run, say.noResult(), context);
  if (result?.kind === "too-large") {
    return refuse(run, say.resultTooLarge(result.maxBytes), context);
  }
  const outcome: TaskOutcome =
    result === undefined ? { kind: "nothing" } : { kind: "result", text: result.text };
  tellAsker(run, outcome, context);
  const deadline = context.at + run.config.limits.reviewTimeoutMs;
  return { ...run, stage: { kind: "judging", deadline } };
}

/** The answer was taken: the session ends, and the workspace goes after a last checkpoint. */
export function accepted(run: Run, key: string, context: Context): Run {
  const task = judged(run, key);
  if (task === undefined) return run;
  return {
    ...finish(run, { kind: "answered" }, context),
    stage: {
      kind: "blocking",
      reason: "its answer was accepted",
      clearing: { issueSettled: true, sessionGone: false, workspaceGone: false },
    },
  };
}

export function refused(
  run: Run,
  { key, problem }: { key: string; problem: string },
  context: Context,
): Run {
  if (judged(run, key) === undefined) return run;
  return refuse({ ...run, stage: { kind: "working" } }, problem, context);
}

/** A verdict counts only for this task, and only while one is awaited. */
function judged(run: Run, key: string): Task | undefined {
  if (run.stage.kind !== "judging" || run.work.kind !== "task") return undefined;
  return run.work.task.key === key ? run.work.task : undefined;
}

function refuse(run: Run, problem: string, context: Context): Run {
  const { work } = run;
  if (work.kind !== "task") return run;
  if (work.refusals >= REFUSALS_MAX) {
    return block(run, `its answer was refused ${work.refusals + 1} times: ${problem}`, context);
  }
  const refusals = work.refusals + 1;
  const back: Run = {
    ...run,
    work: { ...work, refusals, result: undefined },
    stage: { kind: "working" },
  };
  const text = say.taskRefused(problem, `${refusals} of ${REFUSALS_MAX}`);
  return post(back, { kind: "refused", text }, context);
}

/** The task was withdrawn: the run ends, and the asker, who withdrew it, is not told. */
export function withdrawn(
  run: Run,
  { key, why }: { key: string; why: string },
  context: Context,
): Run {
  if (!isActive(run) || run.work.kind !== "task" || run.work.task.key !== key) return run;
  const done = finish(run, { kind: "closed", why }, context);
  return {
    ...done,
    stage: {
      kind: "blocking",
      reason: why,
      clearing: { issueSettled: owesNothing(done), sessionGone: false, workspaceGone: false },
    },
  };
}

export const judgingOverdue = (run: Run, context: Context): Run =>
  block(run, "its answer was not judged within the limit", context);
