// Which settings a run keeps although pawl.toml has others now, for the answer to a person's command.
import type { ProjectConfig } from "../../core/config.ts";
import type { Project } from "../../core/project/project.ts";
import type { Run } from "../../core/run/run.ts";
import { OperationError } from "../../lib/operation-error.ts";
import { readConfig } from "../host/register.ts";
import { keptSettings } from "../views/kept-settings.ts";
import { loadProject, type Routes } from "./context.ts";

/** A corrected pawl.toml does not reach a run that resumes: its user must hear of it. */
export async function keptBy(routes: Routes, run: Run): Promise<string[]> {
  const project = await loadProject(routes, run.project);
  // What the last daemon read is as old as that daemon.
  const fresh = routes.daemon === null ? await configNow(routes, project) : undefined;
  return keptSettings(run, fresh ?? project.config);
}

/** Undefined where it cannot be read now. */
async function configNow(routes: Routes, project: Project): Promise<ProjectConfig | undefined> {
  try {
    const own = await routes.ports.project(project.name);
    const read = await readConfig(project, own, await own.git.fetchTarget());
    return read.kind === "valid" ? read.config : undefined;
  } catch (error) {
    if (error instanceof OperationError) return undefined;
    throw error;
  }
}
