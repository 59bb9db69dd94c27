// What a run whose work is over owes the world: its issue or PR is settled, its branch deleted, its
// workspace saved and removed. Read off the outcome and what is not cleared away yet.
import type { Effect } from "../effect.ts";
import { LABELS } from "../issue.ts";
import { blockedDiagnostic, refusal as refusalText, refusalMark } from "../words/messages.ts";
import type { Wants } from "./obligations.ts";
import type { Refusal } from "./phase.ts";
import type { Run } from "./run.ts";
import type { Stage } from "./stage.ts";

type Clearing = Extract<Stage, { kind: "landed" | "blocking" }>;

export function clearingEffects(run: Run, add: Wants): void {
  const { stage, identity, id, epoch: lastEpoch } = run;
  if (stage.kind !== "landed" && stage.kind !== "blocking") return;
  const { issueSettled, sessionGone, workspaceGone, isSaving } = stage.clearing;
  const { head, branch, pr, work } = run;
  if (!issueSettled && work.kind === "issue") {
    const issue = work.number;
    add("settle", "settle-issue", () => ({
      kind: "settle-issue",
      issue,
      ...settlement(run, stage),
    }));
  }
  // The PR of a task ends with it: no issue would lead to it again.
  if (!issueSettled && work.kind === "task" && pr !== undefined) {
    const mergedAs = stage.kind === "landed" ? stage.commit : undefined;
    add("settle", "finish-pr", () => ({ kind: "finish-pr", pr, mergedAs }));
  }
  if (stage.kind === "landed" && head !== undefined) {
    add("delete-branch", "delete-branch", () => ({ kind: "delete-branch", branch, head }));
  }
  if (!sessionGone || (workspaceGone && isSaving !== true)) return;
  const reason = workspaceGone ? "run given up" : "before removal";
  add("checkpoint:last", "checkpoint", () => ({ kind: "checkpoint", identity, reason }));
  const teardown = run.config.workspace;
  if (workspaceGone) {
    // The workspace stays, but no session uses it any more.
    add("unlink-phase", "unlink-phase", () => ({ kind: "unlink-phase", run: id, lastEpoch }));
  } else {
    const effect = { kind: "remove-workspace", identity, teardown, run: id, lastEpoch } as const;
    add("remove-workspace", "remove-workspace", () => effect);
  }
}

type Settlement = Omit<Extract<Effect, { kind: "settle-issue" }>, "kind" | "issue">;

function settlement(run: Run, stage: Clearing): Settlement {
  const { pr, outcome } = run;
  if (stage.kind === "landed") {
    return {
      close: true,
      addLabels: [],
      removeLabels: [LABELS.inProgress, LABELS.backlog, LABELS.blocked],
      comment: undefined,
      pr: pr === undefined ? undefined : { number: pr, mergedAs: stage.commit },
    };
  }
  if (stage.refusal !== undefined) return refused(run, stage.refusal);
  if (outcome?.kind === "blocked") return blocked(run, outcome.reason);
  // As it was before it was claimed.
  return {
    close: false,
    addLabels: [LABELS.backlog],
    removeLabels: [LABELS.inProgress],
    comment: undefined,
    pr: undefined,
  };
}

const blocked = ({ phase, pr, branch, check }: Run, reason: string): Settlement => ({
  close: false,
  addLabels: [LABELS.blocked, LABELS.backlog],
  removeLabels: [LABELS.inProgress],
  comment: blockedDiagnostic({
    reason,
    phase: phase?.phase,
    pr,
    branch,
    failure: check?.outcome.kind === "failed" ? check.outcome : undefined,
  }),
  pr: undefined,
});

const REFUSED: Record<Refusal["kind"], Pick<Settlement, "close" | "addLabels" | "removeLabels">> = {
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

const refused = ({ pr }: Run, refusal: Refusal): Settlement => ({
  ...REFUSED[refusal.kind],
  comment: refusalText(refusal),
  // The same said before need not be said again.
  unless: refusalMark(refusal.kind),
  pr: pr === undefined ? undefined : { number: pr, mergedAs: undefined },
});
