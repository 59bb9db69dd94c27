// Before anything of a workspace goes: what is in it is saved on the identity's checkpoint chain.
import type { ProjectName } from "../../core/ids.ts";
import { OperationError } from "../../lib/operation-error.ts";
import { statOf } from "./files.ts";
import type { Inspection } from "./inspection.ts";

/** Throws where it cannot be saved completely: then nothing may be removed. */
export async function saveFirst(
  { ports, paths }: Inspection,
  { project, identity }: { project: ProjectName; identity: string },
): Promise<void> {
  const workspace = paths.workspace(project, identity);
  if ((await statOf(workspace)) === undefined) return;
  const { git } = await ports.project(project);
  const outcome = await git.checkpoint({ workspace, identity, reason: "doctor" });
  if (outcome.kind !== "absent" && outcome.skipped.length > 0) {
    throw notSaved(workspace, outcome.skipped);
  }
}

export const notSaved = (workspace: string, paths: string[]): OperationError =>
  new OperationError(`cannot save all of ${workspace}: ${paths.slice(0, 3).join(", ")}`, {
    code: "not-saved",
    hint: "move or delete these files yourself; nothing was removed",
  });
