// What becomes of an issue that its agent refused: a comment once, a label so that no other run
// takes it, and its place is freed. The workspace is removed after a last checkpoint.
import type { Context } from "../context.ts";
import { forgeLane } from "./lanes.ts";
import { runAggregate } from "../ids.ts";
import { LABELS } from "../issue.ts";
import * as say from "../words/messages.ts";
import { finish } from "./clear.ts";
import { block } from "./escalate.ts";
import type { Refusal } from "./refusal.ts";
import { isActive, type Run } from "./run.ts";

type Settled = { close: boolean; addLabels: string[]; removeLabels: string[] };

const SETTLED: Record<Refusal["kind"], Settled> = {
  too_large: {
    close: false,
    addLabels: [LABELS.underspecified],
    removeLabels: [LABELS.backlog, LABELS.inProgress],
  },
  unmet_dependency: {
    close: false,
    addLabels: [LABELS.backlog],
    removeLabels: [LABELS.inProgress],
  },
  already_done: {
    close: true,
    addLabels: [],
    removeLabels: [LABELS.backlog, LABELS.inProgress],
  },
};

export function refuseIssue(run: Run, said: Refusal, context: Context): Run {
  const { work } = run;
  if (!isActive(run) || work.kind !== "issue") return run;
  const refusal = withNews(said, [work.number, ...(run.refusedFor ?? [])]);
  if (refusal === undefined)
    return block(run, `refused again: ${say.refusedBecause(said)}`, context);
  const aggregate = runAggregate(run.project, run.id);
  context.output.effects.push({
    key: `${aggregate}:settle`,
    lane: forgeLane(run),
    effect: {
      kind: "settle-issue",
      issue: work.number,
      ...SETTLED[refusal.kind],
      comment: say.refusal(refusal),
      // The same said before need not be said again.
      unless: say.refusalMark(refusal.kind),
      pr: run.pr === undefined ? undefined : { number: run.pr, mergedAs: undefined },
    },
  });
  const blockedBy = refusal.kind === "unmet_dependency" ? refusal.blockedBy : [];
  const why = say.refusedBecause(refusal);
  return {
    ...finish(run, { kind: "refused", why, blockedBy }, context),
    stage: {
      kind: "blocking",
      reason: why,
      // The next attempt begins on the target as it is then.
      clearing: { issueSettled: false, sessionGone: false, workspaceGone: false },
    },
  };
}

/** Itself, or what it was put back for before: to wait for that again would never end. */
function withNews(refusal: Refusal, known: number[]): Refusal | undefined {
  if (refusal.kind !== "unmet_dependency") return refusal;
  const blockedBy = refusal.blockedBy.filter((number) => !known.includes(number));
  return blockedBy.length === 0 ? undefined : { ...refusal, blockedBy };
}
