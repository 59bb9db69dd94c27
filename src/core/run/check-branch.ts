// Asking for CI on a run's branch, and no longer wanting it.
import type { Context } from "../context.ts";
import { runAggregate, type Commit } from "../ids.ts";
import type { Run } from "./run.ts";

/** One obligation per head and attempt: a new head's check is never mistaken for the old one's. */
const checkKey = (run: Run, head: Commit, attempt: number): string =>
  `${runAggregate(run.project, run.id)}:check:${head}:${attempt}:${run.phase?.ordinal ?? 0}`;

export function startCheck(
  run: Run,
  check: { head: Commit; attempt: number },
  context: Context,
): Run {
  const { head, attempt } = check;
  context.output.effects.push({
    key: checkKey(run, head, attempt),
    // A check takes long: in the run's own lane it would hold up messages.
    lane: checkKey(run, head, attempt),
    effect: {
      kind: "check-branch",
      branch: run.branch,
      head,
      ci: run.config.ci,
      strategy: run.config.merge.strategy,
      title: run.issue.title,
    },
  });
  return { ...run, stage: { kind: "checking", head, attempt, deadline: undefined } };
}

/** Leaves no check behind that nobody waits for. */
export function cancelCheck(run: Run, context: Context): void {
  if (run.stage.kind !== "checking") return;
  context.output.cancelled.push(checkKey(run, run.stage.head, run.stage.attempt));
}
