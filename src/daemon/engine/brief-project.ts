// A project without its backlog, which may be thousands of issues that most questions do not ask for.
import type { ProjectName } from "../../core/ids.ts";
import type { Project } from "../../core/project/project.ts";
import type { StoreReader } from "../../ports/store.ts";

export type BriefProject = Omit<Project, "backlog">;

export async function briefProject(
  store: Pick<StoreReader, "aggregates">,
  project: ProjectName,
): Promise<BriefProject | undefined> {
  const stored = await store.aggregates({ kind: "project", project, isBrief: true });
  const state = stored.at(0)?.state;
  return state?.kind === "project" ? state : undefined;
}
