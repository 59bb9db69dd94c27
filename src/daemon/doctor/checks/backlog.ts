// A project on a forge can find work there, and people see what became of it: its label exists, an
// issue has it, and PRs that landed are shown as merged.
import {
  asksForWork,
  HOW_TO_SHOW_MERGES,
  mergesHidden,
  noBacklogLabel,
  noWork,
} from "../../../core/forge-settings.ts";
import { LABELS } from "../../../core/issue.ts";
import type { Project } from "../../../core/project/project.ts";
import { OperationError } from "../../../lib/operation-error.ts";
import type { Forge } from "../../../ports/forge.ts";
import type { Check, Trouble } from "../check.ts";
import type { Inspection } from "../inspection.ts";

export const backlogCheck: Check = {
  id: "backlog",
  title: "settings of each project on its forge",
  run: async (inspection) => {
    const onForges = (await inspection.projects()).filter(
      ({ config }) => config?.forge !== undefined,
    );
    return (await Promise.all(onForges.map((one) => look(inspection, one)))).flat();
  },
};

async function look({ ports }: Inspection, project: Project): Promise<Trouble[]> {
  const { forge } = await ports.project(project.name);
  try {
    return [...(await ofSettings(project, forge)), ...(await ofIssues(project, forge))];
  } catch (error) {
    // Its own check says that the forge cannot be asked.
    if (error instanceof OperationError) return [];
    throw error;
  }
}

async function ofSettings({ name, config }: Project, forge: Forge): Promise<Trouble[]> {
  const settings = await forge.settings?.();
  if (settings === undefined) return [];
  const repo = `${config?.forge?.owner}/${config?.forge?.repo}`;
  const found: Trouble[] = [];
  if (settings.labelsMissing.includes(LABELS.backlog)) {
    const hint = "create it with `pawl init`, or by hand, and add it to an issue";
    found.push({ key: `${name} label`, what: `project ${name}: ${noBacklogLabel(repo)}`, hint });
  }
  if (settings.merges === "shown") return found;
  const hidden = { key: `${name} merges`, what: `project ${name}: ${mergesHidden(repo)}` };
  if (settings.merges === "hidden") return [...found, { ...hidden, hint: HOW_TO_SHOW_MERGES }];
  const apply = async (): Promise<void> => forge.showMerges?.();
  const fix = { plan: `switch on manual merge in ${repo}`, apply };
  return [...found, { ...hidden, fix }];
}

/** No fault, but the reason why nothing happens. */
async function ofIssues(project: Project, forge: Forge): Promise<Trouble[]> {
  const open = await forge.issues({ state: "open" });
  const what = noWork(project, { open: open.length, isAnyAsked: open.some(asksForWork) });
  if (what === null || open.length === 0) return [];
  return [{ key: `${project.name} no work`, what: `nothing to do: ${what}`, isNote: true }];
}
