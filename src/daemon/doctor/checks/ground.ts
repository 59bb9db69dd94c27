// Agents can succeed: the gate passes on the bare target, and new workspaces can be set up.
import type { Project } from "../../../core/project/project.ts";
import { groundWaits } from "../../views/ground.ts";
import type { Check, Trouble } from "../check.ts";

export const groundCheck: Check = {
  id: "gate",
  title: "the CI gate on the target branch, and set-up of new workspaces",
  run: async (inspection) => (await inspection.projects()).flatMap(look),
};

const look = (project: Project): Trouble[] =>
  groundWaits(project).map(({ about, why, command }) => ({
    key: `${project.name} ${about}`,
    what: `project ${project.name}: ${about}: ${why}`,
    hint: `when you have fixed it, \`${command}\` tries it again`,
  }));
