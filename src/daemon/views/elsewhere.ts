// Which other projects need a person, for the status of one project: a question must not go unseen
// because you look from another folder. Blocked issues are left out, which would cost their backlogs.
import type { StatusView } from "../../api/runs.ts";
import { asksPerson } from "../../core/gate/gate.ts";
import { projectOf, type ProjectName } from "../../core/ids.ts";
import { isActive, isUnendable } from "../../core/run/run.ts";
import type { AggregateState } from "../../core/step.ts";
import type { StoreReader } from "../../ports/store.ts";
import { budgetWaits } from "./budget-question.ts";
import { groundWaits } from "./ground.ts";
import { queueWaits } from "./queue-waits.ts";
import { needsPerson } from "./runs.ts";
import { vaultWaits } from "./vault.ts";

export async function elsewhere(
  store: StoreReader,
  shown: ProjectName,
): Promise<NonNullable<StatusView["elsewhere"]>> {
  const known = await store.aggregates({ kind: "project", isBrief: true });
  if (known.length < 2) return [];
  const counts = new Map<string, number>();
  for (const { id, state } of await store.aggregates({ isBrief: true })) {
    const project = projectOf(id);
    const needs = project === shown ? 0 : needsOf(state);
    if (needs > 0) counts.set(project, (counts.get(project) ?? 0) + needs);
  }
  return [...counts].map(([project, needs]) => ({ project, needs_you: needs }));
}

function needsOf(state: AggregateState): number {
  switch (state.kind) {
    case "run":
      return (isActive(state) || isUnendable(state)) && needsPerson(state) !== null ? 1 : 0;
    case "queue":
      return queueWaits(state, true).length;
    case "gate":
      return asksPerson(state) ? 1 : 0;
    case "vault":
      return vaultWaits(state).length;
    case "project":
      return (
        budgetWaits(state).length + (state.paused === undefined ? groundWaits(state).length : 0)
      );
    default:
      return 0;
  }
}
