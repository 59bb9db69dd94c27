// Removes workspaces that nothing was done in for long: those of issues that were blocked, refused or
// withdrawn. What is in one is saved as a checkpoint first, and a later attempt is built from that; one
// that cannot be saved completely stays, and so does one whose teardown fails; the others go all the same.
import { readdir } from "node:fs/promises";
import { dirname } from "node:path";
import { isOver, type Run } from "../../core/run/run.ts";
import { ifThere } from "../../lib/if-there.ts";
import { briefProject } from "../engine/brief-project.ts";
import { portVariables } from "../effects/make-workspace.ts";
import { livingRuns, runNamed } from "../views/find-runs.ts";
import type { Factory } from "./factory.ts";
import type { Log } from "./log.ts";
import { frameOf } from "./walls.ts";

const KEEP_DAYS = 30;
const DAY_MS = 24 * 60 * 60_000;
/** `dev-7.new`, `dev-7.removing` and `dev-7.aside-1` are states of one that has an owner. */
const IDENTITY = /^[a-z]+-[\w-]+$/;

/** `kept`: those that could not be saved, which are not tried again by this daemon. */
export async function expireWorkspaces(
  factory: Pick<Factory, "store" | "paths" | "ports" | "engine">,
  { now, log, kept }: { now: number; log: Log; kept: Set<string> },
): Promise<void> {
  const { store, paths, engine } = factory;
  for (const { state } of await store.aggregates({ kind: "project", isBrief: true })) {
    if (state.kind !== "project" || state.config === undefined) continue;
    const before = now - (state.config.workspace.keepDays ?? KEEP_DAYS) * DAY_MS;
    const folder = dirname(paths.workspace(state.name, "any"));
    // Asked for once: of each folder, hundreds of living runs would be read again.
    const alive = new Set((await livingRuns(store, state.name)).map(({ identity }) => identity));
    for (const identity of (await ifThere(readdir(folder))) ?? []) {
      const path = paths.workspace(state.name, identity);
      if (!IDENTITY.test(identity) || alive.has(identity) || kept.has(path)) continue;
      // A new run is journaled before it uses the workspace: it is seen here, or waits for its turn.
      const work = engine.inWorkspace(path, async () => {
        const run = await runNamed(store, state.name, identity);
        if (run === undefined || !isExpired(run, before)) return;
        const removal = await saveAndRemove(factory, { run, path });
        if (removal.kind === "kept") kept.add(path);
        log.info({ path, ...removal }, "a workspace that was not used for long");
      });
      await work.catch((error: unknown) => {
        const what = "cannot remove a workspace that was not used for long";
        log.error({ path, error: String(error) }, what);
      });
    }
  }
}

const isExpired = (run: Run, before: number): boolean =>
  isOver(run) && run.kept === undefined && (run.endedAt ?? before) < before;

/** After the project's own teardown. What cannot be saved keeps it where it is. */
export async function saveAndRemove(
  { ports, paths, store }: Pick<Factory, "ports" | "paths" | "store">,
  { run, path }: { run: Run; path: string },
) {
  const { identity, slot, project } = run;
  const { teardown: command, timeoutMs } = run.config.workspace;
  const env = portVariables(run.config.workspace, slot);
  const root = (await briefProject(store, project))?.root ?? path;
  const walls = frameOf(run.config, { project, root, paths });
  await ports.workspaces.tearDown({ path, command, env, timeoutMs, walls });
  const { git } = await ports.project(project);
  return git.removeWorkspace({ path, identity });
}
