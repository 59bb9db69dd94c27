// People's labels win: a run whose issue a person took back, or blocked, ends soon, while a daemon
// runs and the forge can be asked.
import { LABELS } from "../../src/core/issue.ts";
import type { Run } from "../../src/core/run/run.ts";
import { hasOutcome, issueIn } from "../seen.ts";
import type { World } from "../world.ts";
import type { Checker } from "./checker.ts";

const LOOK_MS = 10 * 60_000;
/** Back-offs, outages and a full disk may hold a look up for this long. */
const SLACK_MS = 3 * 3_600_000;
const HELD = new Set(["daemon-killed", "daemon-started", "effect-refused"]);

export function labels(world: World): Checker {
  const name = "labels";
  const runs = new Map<string, Run>();
  /** Monotonic time at which a run's issue was first seen to be taken back. */
  const since = new Map<string, number>();
  let troubleAt = 0;

  function isTaken(run: Run): boolean {
    const number = issueIn(run);
    if (number === undefined || run.stage.kind === "claiming") return false;
    const issue = world.project(run.project).forge.issueByNumber.get(number);
    if (issue === undefined || issue.state === "closed") return false;
    return !issue.labels.includes(LABELS.inProgress) || issue.labels.includes(LABELS.blocked);
  }

  function look(): void {
    const now = world.clock.monotonicMs();
    for (const [id, run] of runs) {
      if (!isTaken(run)) since.delete(id);
      else if (!since.has(id)) since.set(id, now);
      else if (now - Math.max(since.get(id) ?? now, troubleAt) > SLACK_MS) {
        world.fail(name, `${id} continues, although a person took its issue back`);
      }
    }
    world.clock.after(LOOK_MS, look);
  }

  world.clock.after(LOOK_MS, look);
  return {
    name,
    hear(fact) {
      if (HELD.has(fact.kind)) troubleAt = world.clock.monotonicMs();
      if (fact.kind !== "journaled") return;
      for (const { state } of fact.journaled.states) {
        if (state.kind !== "run") continue;
        const id = `${state.project}/${state.id}`;
        if (!hasOutcome(state)) runs.set(id, state);
        else runs.delete(id);
      }
    },
  };
}
