// A session that was asked to exit for a successor ends soon, whether it read that or not, unless a
// person is attached. Only a journal that cannot be written, or no daemon, may delay that.
import type { Run } from "../../src/core/run/run.ts";
import { OperationError } from "../../src/lib/operation-error.ts";
import type { Fact } from "../fact.ts";
import { isAttached } from "../seen.ts";
import type { World } from "../world.ts";
import type { Checker } from "./checker.ts";

const LOOK_MS = 60_000;
/** A wall clock that was set back. */
const SLACK_MS = 30 * 60_000;

export function handOffs(world: World): Checker {
  const name = "hand-offs";
  const asked = new Map<string, { run: Run; at: number }>();
  let troubleAt = 0;
  let isUp = false;

  function journaled(run: Run): void {
    const id = `${run.project}/${run.id}/${run.session?.epoch}`;
    const isAsked = run.session?.status === "live" && run.session.handOff !== undefined;
    if (!isAsked || isAttached(world, run)) asked.delete(id);
    else asked.set(id, { run, at: asked.get(id)?.at ?? world.clock.monotonicMs() });
  }

  function look(): void {
    world.clock.after(LOOK_MS, look);
    if (!isUp) return;
    const now = world.clock.monotonicMs();
    for (const [id, { run, at }] of asked) {
      const limit = run.config.limits.handOffMs + SLACK_MS;
      if (now - Math.max(at, troubleAt) < limit) continue;
      world.fail(name, `${id} was asked to leave ${Math.round((now - at) / 60_000)} min ago`);
    }
  }

  world.clock.after(LOOK_MS, look);
  return {
    name,
    hear(fact) {
      if (fact.kind === "daemon-started") isUp = true;
      if (fact.kind === "daemon-killed") isUp = false;
      if (isTrouble(fact)) troubleAt = world.clock.monotonicMs();
      if (fact.kind !== "journaled") return;
      for (const { state } of fact.journaled.states) if (state.kind === "run") journaled(state);
    },
  };
}

const isTrouble = (fact: Fact): boolean =>
  fact.kind === "daemon-killed" ||
  fact.kind === "daemon-started" ||
  (fact.kind === "effect-refused" &&
    fact.error instanceof OperationError &&
    fact.error.code === "store-full");
