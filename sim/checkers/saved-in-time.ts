// Invariant (a), while a life lasts: what an agent writes is on a checkpoint soon, as long as a
// daemon runs and nothing fails. A change without an event is found by a look, which takes longer.
import { savedContent } from "../fakes/git.ts";
import { contentOf, type Process, type World } from "../world.ts";
import type { Checker } from "./checker.ts";

const MINUTE_MS = 60_000;
const LOOK_MS = MINUTE_MS;
const SOON_MS = 5 * MINUTE_MS;
/** A slow checkpoint is followed by a pause of twenty times its length. */
const SLOW_MS = 25 * MINUTE_MS;
/** The longest time between two looks at files that do not change. */
const MISSED_MS = 65 * MINUTE_MS;
const HELD = new Set(["daemon-killed", "daemon-started", "effect-refused"]);

type Written = { process: Process; at: number; missed: boolean };

export function savedInTime(world: World): Checker {
  const name = "saved-in-time";
  const written = new Map<string, Written>();
  let troubleAt = 0;
  let isUp = false;

  function isSaved({ process }: Written): boolean {
    const project = world.project(process.project);
    const workspace = project.workspaces.get(process.workspace);
    const saved = project.checkpoints.get(process.identity);
    if (!process.alive || workspace?.complete !== true) return true;
    return saved !== undefined && savedContent(project, saved) === contentOf(project, workspace);
  }

  function look(): void {
    world.clock.after(LOOK_MS, look);
    if (!isUp) return;
    const now = world.clock.monotonicMs();
    const slow = world.options.rates.portSlow > 0 ? SLOW_MS : 0;
    for (const [path, one] of written) {
      const limit = SOON_MS + slow + (one.missed ? MISSED_MS : 0);
      if (now - Math.max(one.at, troubleAt) < limit) continue;
      if (!isSaved(one)) {
        const minutes = Math.round((now - one.at) / MINUTE_MS);
        world.fail(name, `${path}: what was written ${minutes} min ago is on no checkpoint`);
      }
      written.delete(path);
    }
  }

  /** Later writes wait for the next checkpoint. */
  function forgetSaved({ project, identity }: { project: string; identity: string }): void {
    for (const [path, one] of written) {
      const isIts = one.process.project === project && one.process.identity === identity;
      if (isIts && isSaved(one)) written.delete(path);
    }
  }

  world.clock.after(LOOK_MS, look);
  return {
    name,
    hear(fact) {
      if (fact.kind === "daemon-started") isUp = true;
      if (fact.kind === "daemon-killed") isUp = false;
      const now = world.clock.monotonicMs();
      if (HELD.has(fact.kind)) troubleAt = now;
      if (fact.kind === "checkpoint-saved") forgetSaved(fact);
      if (fact.kind !== "files-written") return;
      const { process, missed } = fact;
      const known = written.get(process.workspace);
      // What was written first has waited longest; another write may bring the news of it.
      if (known !== undefined && !(known.missed && !missed)) return;
      written.set(process.workspace, { process, at: now, missed });
    },
  };
}
