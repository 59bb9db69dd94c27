// Every wait has a deadline, and a deadline that passes is acted on soon, while a daemon runs. The
// limits are computed here a second time, from the configuration, not from the core's deadlines.
import type { Run } from "../../src/core/run/run.ts";
import { hasOutcome, isAttached } from "../seen.ts";
import type { World } from "../world.ts";
import type { Checker } from "./checker.ts";

const LOOK_MS = 5 * 60_000;
/** Back-offs, slow calls and a full disk may hold a reaction up for this long. */
const SLACK_MS = 2 * 3_600_000;
const HELD = new Set(["daemon-killed", "daemon-started", "effect-refused", "person-did"]);

export function deadlines(world: World): Checker {
  const name = "deadlines";
  const runs = new Map<string, Run>();
  /** Steady time at which the run entered its present stage. */
  const since = new Map<string, number>();
  let troubleAt = 0;

  function journaled(run: Run): void {
    const id = `${run.project}/${run.id}`;
    const before = runs.get(id);
    if (before === undefined || waitOf(before) !== waitOf(run)) {
      since.set(id, world.clock.monotonicMs());
    }
    if (!hasOutcome(run) || run.stage.kind === "landed") runs.set(id, run);
    else runs.delete(id);
  }

  function limitOf(run: Run): number | undefined {
    const { limits } = run.config;
    switch (run.stage.kind) {
      case "escalated":
        return isAttached(world, run) ? undefined : limits.escalationTimeoutMs;
      case "reviewing":
        return limits.reviewTimeoutMs;
      case "landed":
        return isAttached(world, run) ? undefined : limits.exitMs;
      default:
        return undefined;
    }
  }

  function look(): void {
    const now = world.clock.monotonicMs();
    for (const [id, run] of runs) {
      const limit = limitOf(run);
      const from = since.get(id);
      if (limit === undefined || from === undefined) continue;
      const waitedMs = now - Math.max(from, 0);
      if (waitedMs > limit + SLACK_MS && now - troubleAt > SLACK_MS) {
        world.fail(name, `${id} is ${run.stage.kind} for ${Math.round(waitedMs / 60_000)} min`);
      }
    }
    world.clock.after(LOOK_MS, look);
  }

  world.clock.after(LOOK_MS, look);
  return {
    name,
    hear(fact) {
      // Trouble may hold up what is due; a person may as well.
      if (HELD.has(fact.kind)) troubleAt = world.clock.monotonicMs();
      if (fact.kind !== "journaled") return;
      for (const { state } of fact.journaled.states) if (state.kind === "run") journaled(state);
    },
  };
}

/** A question that follows upon the answer to another one is a wait of its own. */
const waitOf = ({ stage }: Run): string =>
  stage.kind === "escalated" ? `escalated ${stage.escalation.reason}` : stage.kind;
