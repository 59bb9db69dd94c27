// Labels are true: an issue is `in-progress` exactly while a run or an action of this factory works
// on it. Issues that this factory never worked on, or that another one has claimed, are ignored.
import type { Action } from "../../../core/action/action.ts";
import { actionAggregate } from "../../../core/ids.ts";
import { LABELS } from "../../../core/issue.ts";
import type { Issue } from "../../../core/issue.ts";
import type { Project } from "../../../core/project/project.ts";
import { isActive, issueOf, type Run } from "../../../core/run/run.ts";
import type { Forge } from "../../../ports/forge.ts";
import type { Check, Trouble } from "../check.ts";
import type { Inspection } from "../inspection.ts";

export const labelsCheck: Check = {
  id: "labels",
  title: "labels of issues",
  run: async (inspection) => {
    const found = await Promise.all(
      (await inspection.projects()).map((one) => look(inspection, one)),
    );
    return found.flat();
  },
};

type Case = { project: Project; issue: Issue; forge: Forge; worker: string | undefined };
type Change = Parameters<Forge["editIssue"]>[1];

async function look(inspection: Inspection, project: Project): Promise<Trouble[]> {
  if (project.config === undefined) return [];
  const { forge } = await inspection.ports.project(project.name);
  const runs = (await inspection.runs()).filter(({ project: of }) => of === project.name);
  const found: Trouble[] = [];
  for (const issue of await forge.issues({ state: "open" })) {
    const action = await actionOf(inspection, project, issue);
    const worker = workerOn(project, { issue, runs, action });
    const one: Case = { project, issue, forge, worker };
    const isAt = issue.labels.includes(LABELS.inProgress);
    if (isAt && worker === undefined) found.push(...(await left(one, action)));
    if (!isAt && worker !== undefined && worker !== "") found.push(missing(one, worker));
  }
  return found;
}

async function actionOf(
  { store }: Inspection,
  { name }: Project,
  { number, labels }: Issue,
): Promise<Action | undefined> {
  if (!labels.includes(LABELS.action)) return undefined;
  const state = (await store.load(actionAggregate(name, number)))?.state;
  return state?.kind === "action" ? state : undefined;
}

/** Who works on it; "" while a run is just beginning or ending, when either label may be right. */
function workerOn(
  { active, leaving }: Project,
  { issue: { number }, runs, action }: { issue: Issue; runs: Run[]; action: Action | undefined },
): string | undefined {
  const run = runs.find((one) => isActive(one) && issueOf(one) === number);
  if (run !== undefined) return run.stage.kind === "claiming" ? "" : run.identity;
  if ([...active, ...leaving].some((one) => one.issue === number)) return "";
  if (action === undefined || action.stage.kind === "ended") return undefined;
  const isAtWork = action.stage.kind === "formula" || action.stage.kind === "task";
  return isAtWork ? `action-${number}` : "";
}

/** No run works on it, and this factory set the label. */
async function left(
  { project: { name, history }, issue, forge }: Case,
  action: Action | undefined,
): Promise<Trouble[]> {
  const { number } = issue;
  if (action === undefined && history[String(number)] === undefined) return [];
  const holder = (await forge.claimOf(number))?.holder;
  if (holder === "sibling" || holder === "stranger") return [];
  const change = action === undefined ? BACK : settled(action);
  const plan = change.state === "closed" ? "close" : `label ${(change.addLabels ?? []).join(", ")}`;
  return [
    {
      key: `${name} #${number} in progress`,
      what: `#${number} of ${name} is labelled ${LABELS.inProgress}, but no run works on it`,
      fix: {
        plan: `${plan} #${number} of ${name} instead`,
        apply: () => edit(forge, number, change),
      },
    },
  ];
}

const BACK: Change = { addLabels: [LABELS.backlog], removeLabels: [LABELS.inProgress] };

/** As it ended; one that was not carried out for sure waits for a person. */
function settled({ stage }: Action): Change {
  const removeLabels = [LABELS.inProgress];
  return stage.kind === "ended" && stage.outcome.kind === "done"
    ? { removeLabels, state: "closed" }
    : { removeLabels, addLabels: [LABELS.blocked] };
}

function missing({ project: { name }, issue: { number }, forge }: Case, worker: string): Trouble {
  const what = `#${number} of ${name}`;
  const change = { addLabels: [LABELS.inProgress], removeLabels: [LABELS.backlog] };
  return {
    key: `${name} #${number} not in progress`,
    what: `${what} is not labelled ${LABELS.inProgress}, but ${worker} works on it`,
    fix: { plan: `label ${what} ${LABELS.inProgress}`, apply: () => edit(forge, number, change) },
  };
}

async function edit(forge: Forge, number: number, change: Change): Promise<void> {
  await forge.editIssue(number, change);
}
