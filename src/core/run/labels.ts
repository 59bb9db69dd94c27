// Labels of an issue that a run works on. They are a projection of the journal, but a person who
// changes them after us means it: the run ends, and what they did is not undone.
import type { Context } from "../context.ts";
import { runAggregate } from "../ids.ts";
import { LABELS } from "../issue.ts";
import { withdraw } from "./clear.ts";
import { forgeLane } from "./lanes.ts";
import { isActive, type Run } from "./run.ts";

/** As Pawl left them: in progress and not blocked. */
export const isOurs = (labels: string[]): boolean =>
  labels.includes(LABELS.inProgress) && !labels.includes(LABELS.blocked);

export function labelsObserved(
  run: Run,
  { labels, by = "a person" }: { labels: string[]; by?: string | undefined },
  context: Context,
): Run {
  if (run.work.kind !== "issue" || run.stage.kind === "claiming" || isOurs(labels)) return run;
  if (!labels.includes(LABELS.blocked)) {
    const why = `${by} took the label \`${LABELS.inProgress}\` away`;
    return withdraw(run, { kind: "closed", why }, context);
  }
  // As a run that gives up leaves it: removing `blocked` has it tried again.
  return giveBack(run, `${by} added the label \`${LABELS.blocked}\``, context);
}

/** Ends the run and leaves its issue as it was before it was claimed. */
export function giveBack(run: Run, why: string, context: Context): Run {
  if (!isActive(run) || run.work.kind !== "issue") return run;
  const aggregate = runAggregate(run.project, run.id);
  context.output.effects.push({
    key: `${aggregate}:settle`,
    lane: forgeLane(run),
    effect: {
      kind: "settle-issue",
      issue: run.work.number,
      close: false,
      addLabels: [LABELS.backlog],
      removeLabels: [LABELS.inProgress],
      comment: undefined,
      pr: undefined,
    },
  });
  const left = withdraw(run, { kind: "closed", why }, context);
  if (left.stage.kind !== "blocking") return left;
  const clearing = { ...left.stage.clearing, issueSettled: false };
  return { ...left, stage: { ...left.stage, clearing } };
}
