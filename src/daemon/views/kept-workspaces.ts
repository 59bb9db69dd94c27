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

/** `living`: those that are not over, where they are known. */
type From = { paths: Paths; living?: readonly Run[] };

export async function keptRuns(
  store: StoreReader,
  projects: readonly Pick<Project, "name">[],
  from: From,
): Promise<Run[]> {
  const found = await Promise.all(projects.map(({ name }) => keptIn(store, name, from)));
  return found.flat();
}

async function keptIn(
  store: StoreReader,
  project: ProjectName,
  { paths, living }: From,
): Promise<Run[]> {
  const query = { kind: "run", project, name: KEPT_WORKSPACE, limit: KEPT_MAX } as const;
  const ended = (await store.named(query)).flatMap(({ state }) =>
    state.kind === "run" ? [state] : [],
  );
  const runs = living ?? (await livingRuns(store, project));
  const leaving = runs.filter((run) => run.kept !== undefined && run.project === project);
  const kept: Run[] = [];
  for (const run of [...ended, ...leaving]) {
    if (!existsSync(paths.workspace(project, run.identity))) continue;
    const newest = await runNamed(store, project, run.identity);
    if (newest?.id === run.id) kept.push(run);
  }
  return kept;
}
