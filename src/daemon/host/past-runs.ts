// Runs that are over and have left a folder: what they cost is bounded by what lies on disk, not by
// how many there ever were.
import { readdir } from "node:fs/promises";
import { dirname } from "node:path";
import { runAggregate, runId } from "../../core/ids.ts";
import { isOver, type Run } from "../../core/run/run.ts";
import { errorCode } from "../../lib/error-code.ts";
import type { StoreReader } from "../../ports/store.ts";
import type { Paths } from "./paths.ts";

export async function pastRuns({
  store,
  paths,
}: {
  store: Pick<StoreReader, "aggregates" | "load">;
  paths: Paths;
}): Promise<Run[]> {
  const found: Run[] = [];
  for (const { state: project } of await store.aggregates({ kind: "project", isBrief: true })) {
    if (project.kind !== "project") continue;
    for (const name of await foldersIn(dirname(paths.run(project.name, runId("any"))))) {
      const state = (await store.load(runAggregate(project.name, runId(name))))?.state;
      if (state?.kind === "run" && isOver(state)) found.push(state);
    }
  }
  return found;
}

async function foldersIn(path: string): Promise<string[]> {
  try {
    return await readdir(path);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return [];
    throw error;
  }
}
