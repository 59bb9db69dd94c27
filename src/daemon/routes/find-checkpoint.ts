// Whose checkpoints a request means: those of a run, or those of an identity that this journal does
// not know, because they were recovered from another machine.
import type { ProjectName } from "../../core/ids.ts";
import type { Run } from "../../core/run/run.ts";
import { OperationError } from "../../lib/operation-error.ts";
import type { CheckpointEntry, Checkpoints } from "../../ports/checkpoints.ts";
import type { ProjectPorts } from "../engine/ports.ts";
import { projectFor, runFor, type Request, type Routes } from "./context.ts";

const SEARCHED_MAX = 10_000;

export type Owner = {
  project: ProjectName;
  identity: string;
  run: Run | undefined;
  checkpoints: Checkpoints;
};

export async function ownerOf(routes: Routes, request: Request): Promise<Owner> {
  const project = await projectFor(routes, request);
  const checkpoints = checkpointsOf(await routes.ports.project(project.name));
  const ref = (request.req.param("ref") ?? "").replace(/^#/, "");
  try {
    const run = await runFor(routes, request);
    return { project: project.name, identity: run.identity, run, checkpoints };
  } catch (error) {
    const isUnknown = error instanceof OperationError && error.code === "no-run";
    if (!isUnknown) throw error;
    const all = await checkpoints.identities();
    const identity = all.find((name) => name === ref || name.endsWith(`-${ref}`));
    if (identity === undefined) throw error;
    return { project: project.name, identity, run: undefined, checkpoints };
  }
}

export function checkpointsOf({ checkpoints }: ProjectPorts): Checkpoints {
  if (checkpoints !== undefined) return checkpoints;
  throw new OperationError("this factory keeps no checkpoints", { code: "no-checkpoints" });
}

/** By its number; `last` is the newest. */
export async function findCheckpoint(owner: Owner, number: string): Promise<CheckpointEntry> {
  const { identity, checkpoints } = owner;
  const limit = number === "last" ? 1 : SEARCHED_MAX;
  const entries = await checkpoints.list({ identity, limit });
  const found =
    number === "last" ? entries[0] : entries.find((entry) => String(entry.number) === number);
  if (found !== undefined) return found;
  const wanted = number === "last" ? "no checkpoint" : `no checkpoint ${number}`;
  throw new OperationError(`${identity} has ${wanted}`, {
    code: "no-checkpoint",
    hint: `see \`pawl checkpoint list ${identity}\``,
  });
}
