// Labels say what is so: an issue is `in-progress` exactly while a run of this factory works on it.
// Issues that this factory never worked on are others' business.
import { LABELS } from "../../../core/issue.ts";
import type { Issue } from "../../../core/issue.ts";
import type { ProjectName } from "../../../core/ids.ts";
import type { Project } from "../../../core/project/project.ts";
import { isActive, type Run } from "../../../core/run/run.ts";
import { issueOf } from "../../../core/run/work.ts";
import type { Check, Trouble } from "../check.ts";
import type { Patient } from "../patient.ts";

export const labelsCheck: Check = {
  id: "labels",
  title: "labels of issues say what is so",
  run: async (patient) => {
    const found = await Promise.all((await patient.projects()).map((one) => look(patient, one)));
    return found.flat();
  },
};

async function look(patient: Patient, project: Project): Promise<Trouble[]> {
  if (project.config === undefined) return [];
  const { forge } = await patient.ports.project(project.name);
  const open = await forge.issues({ state: "open" });
  const runs = (await patient.runs()).filter(({ project: of }) => of === project.name);
  return open.flatMap((issue) => judge(patient, project, { issue, runs }));
}

function judge(
  patient: Patient,
  { name, active, leaving, history }: Project,
  { issue, runs }: { issue: Issue; runs: Run[] },
): Trouble[] {
  const isAt = issue.labels.includes(LABELS.inProgress);
  const isOurs = [...active, ...leaving].some((run) => run.issue === issue.number);
  const change = changer(patient, name, issue.number);
  const what = `#${issue.number} of ${name}`;
  if (isAt && !isOurs && history[String(issue.number)] !== undefined) {
    const labels = { addLabels: [LABELS.backlog], removeLabels: [LABELS.inProgress] };
    return [
      {
        key: `${name} #${issue.number} in progress`,
        what: `${what} is labelled ${LABELS.inProgress}, but no run works on it`,
        mend: { plan: `label ${what} ${LABELS.backlog} instead`, apply: () => change(labels) },
      },
    ];
  }
  const run = runs.find((one) => isActive(one) && issueOf(one) === issue.number);
  if (isAt || run === undefined || run.stage.kind === "claiming") return [];
  const labels = { addLabels: [LABELS.inProgress], removeLabels: [LABELS.backlog] };
  return [
    {
      key: `${name} #${issue.number} not in progress`,
      what: `${what} is not labelled ${LABELS.inProgress}, but ${run.identity} works on it`,
      mend: { plan: `label ${what} ${LABELS.inProgress}`, apply: () => change(labels) },
    },
  ];
}

const changer =
  ({ ports }: Patient, project: ProjectName, issue: number) =>
  async (labels: { addLabels: string[]; removeLabels: string[] }): Promise<void> => {
    await (await ports.project(project)).forge.editIssue(issue, labels);
  };
