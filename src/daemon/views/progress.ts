// How far git is with what takes its time, as people see it: "checking out files, 43 %".
import type { ProjectName } from "../../core/ids.ts";
import type { Project } from "../../core/project/project.ts";
import { OperationError } from "../../lib/operation-error.ts";
import type { GitWork } from "../../ports/git.ts";
import type { Ports } from "../engine/ports.ts";
import type { Paths } from "../host/paths.ts";

/** A project without a usable configuration has no git, and nothing under way. */
export async function worksOf(ports: Ports, project: ProjectName): Promise<GitWork[]> {
  try {
    return await (await ports.project(project)).git.underWay();
  } catch (error) {
    if (error instanceof OperationError) return [];
    throw error;
  }
}

const progressText = ({ step, percent }: GitWork): string => `${step}, ${percent} %`;

const isIn = (folder: string, { place }: GitWork): boolean =>
  place === folder || place.startsWith(`${folder}/`);

/** Of one workspace. */
export function workspaceProgress(
  works: GitWork[] | undefined,
  workspace: string,
): string | undefined {
  const own = works?.find((work) => isIn(workspace, work));
  return own === undefined ? undefined : progressText(own);
}

/** Agents start after the gate was seen to pass on the bare target. */
export const proofProgress = ({ proof, config }: Pick<Project, "proof" | "config">): string[] =>
  proof?.kind === "asked"
    ? [`the gate runs on ${config?.target ?? "the target"}, before agents start`]
    : [];

/** Of all that belongs to no workspace: the project's own repository and the checkouts of gates. */
export function projectProgress(works: GitWork[], project: ProjectName, paths: Paths): string[] {
  const hub = paths.hub(project);
  const checks = paths.checks(project);
  return works.flatMap((work) => {
    if (isIn(checks, work)) return [`for a gate: ${progressText(work)}`];
    return isIn(hub, work) ? [`repository: ${progressText(work)}`] : [];
  });
}
