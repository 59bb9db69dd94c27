// Workspaces that stayed because something in them cannot be saved: a person is needed until they are
// gone, or until a later run works in them again.
import { existsSync } from "node:fs";
import type { Run } from "../../core/run/run.ts";
import type { Paths } from "../host/paths.ts";

export function isKept(run: Run, runs: readonly Run[], paths: Paths): boolean {
  if (run.kept === undefined) return false;
  const { project, identity, requestedAt } = run;
  const isOlder = runs.some(
    (other) =>
      other.project === project && other.identity === identity && other.requestedAt > requestedAt,
  );
  return !isOlder && existsSync(paths.workspace(project, identity));
}
