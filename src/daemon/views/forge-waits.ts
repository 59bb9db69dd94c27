// What a project's repository on its forge is not set up for, as `status` shows it.
import type { WaitView } from "../../api/runs.ts";
import {
  forgeLacks,
  HOW_TO_SHOW_MERGES,
  mergesHidden,
  noBacklogLabel,
} from "../../core/forge-settings.ts";
import type { Project } from "../../core/project/project.ts";

export function forgeWaits(project: Project): WaitView[] {
  const { name, config } = project;
  const lacks = forgeLacks(project);
  const repo = `${config?.forge?.owner}/${config?.forge?.repo}`;
  const wait = { project: name, about: "forge" };
  const label: WaitView[] = lacks.label
    ? [{ ...wait, why: noBacklogLabel(repo), needs_you: true, command: "pawl init" }]
    : [];
  if (lacks.merges === "shown") return label;
  const isOurs = lacks.merges === "switchable";
  const why = isOurs ? mergesHidden(repo) : `${mergesHidden(repo)} (${HOW_TO_SHOW_MERGES})`;
  const command = isOurs ? "pawl init --manual-merge" : null;
  return [...label, { ...wait, why, needs_you: false, command }];
}
