// Asking for CI on a run's branch, and no longer wanting it.
import type { Context } from "../context.ts";
import type { Obligation } from "../effect.ts";
import { runAggregate, type Commit } from "../ids.ts";
import type { Run } from "./run.ts";
import { titleOf } from "./work.ts";

/** One obligation per head and attempt: a new head's check is never mistaken for the old one's. */
const checkKey = (run: Run, head: Commit, attempt: number): string =>
  `${runAggregate(run.project, run.id)}:check:${head}:${attempt}:${run.phase?.ordinal ?? 0}`;

type Check = { head: Commit; attempt: number };

export function checkObligation(run: Run, { head, attempt }: Check): Obligation {
  const key = checkKey(run, head, attempt);
  return {
    key,
    // A check takes long: in the run's own lane it would hold up messages.
    lane: key,
    effect: {
      kind: "check-branch",
      branch: run.branch,
      head,
      ci: run.config.ci,
      strategy: run.config.merge.strategy,
      title: titleOf(run),
    },
  };
}

export function startCheck(run: Run, check: Check, context: Context): Run {
  const obligation = checkObligation(run, check);
  context.output.effects.push(obligation);
  const { key } = obligation;
  return { ...run, stage: { kind: "checking", head: check.head, key, deadline: undefined } };
}

/** Leaves no check running that is not needed any more. */
export function cancelCheck(run: Run, context: Context): void {
  if (run.stage.kind !== "checking") return;
  context.output.cancelled.push(run.stage.key);
}
