// Whether all that is saved of an identity is a target as it was: no file was ever another one, and
// no commit of the agent's own is there. What cannot be told counts as work.
import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { ProjectName } from "../../core/ids.ts";
import { ifThere } from "../../lib/if-there.ts";
import type { StoreReader } from "../../ports/store.ts";
import type { Ports } from "../engine/ports.ts";
import type { Paths } from "../host/paths.ts";
import { runNamed } from "../views/find-runs.ts";

/** An agent that does nothing is saved a few times only. */
const SAVED_MAX = 20;
/** Less than where git's log is cut. */
const LOG_MAX_CHARS = 8_000;

export async function changedNothing(
  { store, ports, paths }: { store: StoreReader; ports: Ports; paths: Paths },
  { project, identity }: { project: ProjectName; identity: string },
): Promise<boolean> {
  const base = (await runNamed(store, project, identity))?.base;
  if (base === undefined) return false;
  const { git, checkpoints } = await ports.project(project);
  const saved = (await checkpoints?.list({ identity, limit: SAVED_MAX })) ?? [];
  const [newest] = saved;
  if (newest === undefined || saved.length === SAVED_MAX) return false;
  if (saved.some(({ files, skipped }) => files + skipped > 0)) return false;
  // Beside the checkpoints themselves there is no commit that the target does not have.
  const { log, files } = await git.compare({ from: base, to: newest.commit, maxBytes: 1 });
  const commits = log.match(/^[0-9a-f]+ /gm) ?? [];
  if (files.length > 0 || log.length > LOG_MAX_CHARS || commits.length !== saved.length) {
    return false;
  }
  const workspace = paths.workspace(project, identity);
  if (!existsSync(workspace)) return true;
  if (await hasOwnObjects(workspace)) return false;
  const now = await git.summary({ workspace, base });
  return [now.log, now.stat, now.diff].every((part) => part.trim() === "");
}

/**
 * Younger than the last checkpoint there may be a commit on another branch, a stash, or a commit that no
 * branch has any more. A workspace takes what it began with from the hub: any object in it is its own.
 */
async function hasOwnObjects(workspace: string): Promise<boolean> {
  const objects = join(workspace, ".git", "objects");
  const names = await ifThere(readdir(objects));
  if (names === undefined || names.some((name) => name !== "info" && name !== "pack")) return true;
  return ((await ifThere(readdir(join(objects, "pack")))) ?? []).length > 0;
}
