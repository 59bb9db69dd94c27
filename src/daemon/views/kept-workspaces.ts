// Workspaces that stayed because something in them cannot be saved: a person is needed until they are
// gone, or until a later run works in them again.
import { existsSync } from "node:fs";
import { KEPT_WORKSPACE } from "../../core/history-names.ts";
import type { ProjectName } from "../../core/ids.ts";
import type { Project } from "../../core/project/project.ts";
import type { Run } from "../../core/run/run.ts";
import type { StoreReader } from "../../ports/store.ts";
import type { Paths } from "../host/paths.ts";
import { livingRuns, runNamed } from "./find-runs.ts";

/** Of one project, so many are listed. */
const KEPT_MAX = 100;

export async function keptRuns(
  store: StoreReader,
  projects: readonly Pick<Project, "name">[],
  paths: Paths,
): Promise<Run[]> {
  const found = await Promise.all(projects.map(({ name }) => keptIn(store, name, paths)));
  return found.flat();
}

async function keptIn(store: StoreReader, project: ProjectName, paths: Paths): Promise<Run[]> {
  const query = { kind: "run", project, name: KEPT_WORKSPACE, limit: KEPT_MAX } as const;
  const ended = (await store.named(query)).flatMap(({ state }) =>
    state.kind === "run" ? [state] : [],
  );
  const leaving = (await livingRuns(store, project)).filter(({ kept }) => kept !== undefined);
  const kept: Run[] = [];
  for (const run of [...ended, ...leaving]) {
    if (!existsSync(paths.workspace(project, run.identity))) continue;
    const newest = await runNamed(store, project, run.identity);
    if (newest?.id === run.id) kept.push(run);
  }
  return kept;
}
