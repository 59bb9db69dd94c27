// What a run has changed since it left the target: in its workspace, and, once that is gone, in the last
// checkpoint that was saved of it, or in the commit that landed.
import { runAggregate, runId, type Commit, type RunId } from "../../core/ids.ts";
import { isOver, type Run } from "../../core/run/run.ts";
import type { CheckpointEntry } from "../../ports/checkpoints.ts";
import type { ProjectPorts } from "../engine/ports.ts";
import type { Routes } from "./context.ts";

/** Those of all attempts at one issue are in one chain. */
const SEARCHED_MAX = 10_000;
const LANDED_MAX_BYTES = 1_000_000;

type Work = { log: string; stat: string; diff: string; cut?: true };

const NOTHING: Work = { log: "", stat: "", diff: "" };

/** Undefined where nothing is left of it. `diffMaxBytes`: where the patch of a workspace is cut. */
export async function workOf(
  routes: Pick<Routes, "store" | "ports" | "paths">,
  run: Run,
  { diffMaxBytes }: { diffMaxBytes?: number } = {},
): Promise<Work | undefined> {
  const { base } = run;
  if (base === undefined) return NOTHING;
  const own = await routes.ports.project(run.project);
  if (!isOver(run)) {
    const workspace = routes.paths.workspace(run.project, run.identity);
    const most = diffMaxBytes === undefined ? {} : { diffMaxBytes };
    return own.git.summary({ workspace, base, ...most });
  }
  const saved = await lastOf(routes, own, run);
  if (saved !== undefined && own.checkpoints !== undefined) {
    return { log: "", ...(await own.checkpoints.diff({ commit: saved.commit, from: base })) };
  }
  if (run.outcome?.kind !== "landed") return undefined;
  const to = run.outcome.commit;
  const landed = { from: `${to}^` as Commit, to, maxBytes: LANDED_MAX_BYTES };
  const { log, files, ...rest } = await own.git.compare(landed);
  return { log, stat: files.join("\n"), ...rest };
}

/** In whole seconds, as git keeps the time of a checkpoint: one may be made in a run's first second. */
const beganAt = ({ requestedAt }: Run): number => Math.floor(requestedAt / 1000) * 1000;

/**
 * What an earlier attempt left in the same workspace, where a later one changed nothing. Undefined
 * where nothing is saved, or what is saved landed.
 */
export async function earlierWork(
  routes: Pick<Routes, "store" | "ports">,
  run: Run,
): Promise<(Work & { left_by: RunId }) | undefined> {
  const { checkpoints } = await routes.ports.project(run.project);
  const entries = await checkpoints?.list({ identity: run.identity, limit: SEARCHED_MAX });
  const last = entries?.find(({ at }) => at < run.requestedAt);
  if (last === undefined || checkpoints === undefined) return undefined;
  const { commit, at } = last;
  for (let attempt = run.attempt - 1; attempt > 0; attempt -= 1) {
    const id = runAggregate(run.project, runId(`${run.name}.${attempt}`));
    const other = (await routes.store.load(id))?.state;
    if (other?.kind !== "run" || beganAt(other) > at) continue;
    if (other.base === undefined || other.outcome?.kind === "landed") return undefined;
    const diff = await checkpoints.diff({ commit, from: other.base });
    return { log: "", ...diff, left_by: other.id };
  }
  return undefined;
}

/** The last checkpoint of this attempt: after its beginning, and before that of the next one. */
async function lastOf(
  { store }: Pick<Routes, "store">,
  { checkpoints }: ProjectPorts,
  run: Run,
): Promise<CheckpointEntry | undefined> {
  const next = runId(`${run.name}.${run.attempt + 1}`);
  const later = (await store.load(runAggregate(run.project, next)))?.state;
  const end = later?.kind === "run" ? later.requestedAt : Infinity;
  const entries = await checkpoints?.list({ identity: run.identity, limit: SEARCHED_MAX });
  const last = entries?.find(({ at }) => at < end);
  return last !== undefined && last.at >= beganAt(run) ? last : undefined;
}
