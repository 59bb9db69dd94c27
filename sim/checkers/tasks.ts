// A task that was asked for is given to one run, and that run ends once: accepted by whoever asked,
// landed, failed, or withdrawn by whoever asked. None is forgotten, and none is refused for ever.
import { projectOf } from "../../src/core/ids.ts";
import type { Run } from "../../src/core/run/run.ts";
import type { Journaled } from "../fact.ts";
import type { World } from "../world.ts";
import type { Checker } from "./checker.ts";

const REFUSALS_MAX = 3;

export function tasks(world: World): Checker {
  const name = "tasks";
  const asked = new Set<string>();
  /** Asked for a second time, and not given yet. */
  const againFor = new Set<string>();
  const accepted = new Set<string>();
  const withdrawn = new Set<string>();
  const runOf = new Map<string, string>();
  const endOf = new Map<string, string>();
  /** Runs that have ended, and how. */
  const over = new Map<string, string>();

  function heard({ events }: Journaled): void {
    for (const { to, event } of events) {
      // Two projects may ask under the same key.
      const keyed = (key: string): string => `${projectOf(to)} ${key}`;
      if (event.kind === "task-requested") requested(keyed(event.task.key));
      if (event.kind === "task-accepted") accepted.add(keyed(event.key));
      if (event.kind === "task-withdrawn") withdrawn.add(keyed(event.key));
    }
  }

  function requested(key: string): void {
    if (asked.has(key)) againFor.add(key);
    asked.add(key);
  }

  function journaled(run: Run): void {
    if (run.work.kind !== "task") return;
    const { task, refusals } = run.work;
    const key = `${run.project} ${task.key}`;
    const id = `${run.project}/${run.id}`;
    if (over.has(id)) return;
    const known = runOf.get(key) ?? id;
    // What is over may be asked for again; each asking is for one run.
    if (known !== id && !(over.has(known) && againFor.delete(key)))
      world.fail(name, `${key} was given to ${known} and to ${id}`);
    if (known !== id) endOf.delete(key);
    runOf.set(key, id);
    if (refusals > REFUSALS_MAX)
      world.fail(name, `${id} was refused ${refusals} times and goes on`);
    if (run.outcome === undefined) return;
    over.set(id, run.outcome.kind);
    ended(key, run.outcome.kind);
  }

  function ended(key: string, end: string): void {
    const before = endOf.get(key) ?? end;
    if (before !== end) world.fail(name, `${key} ended as ${before} and as ${end}`);
    endOf.set(key, end);
    if (end === "answered" && !accepted.has(key)) {
      world.fail(name, `${key} counts as answered, but nobody accepted its answer`);
    }
    if (end === "closed" && !withdrawn.has(key)) {
      world.fail(name, `${key} was given up, and nobody wanted that`);
    }
  }

  return {
    name,
    hear(fact) {
      if (fact.kind !== "journaled") return;
      heard(fact.journaled);
      for (const { state } of fact.journaled.states) if (state.kind === "run") journaled(state);
    },
    atEnd() {
      for (const key of asked) {
        if (!endOf.has(key) && !withdrawn.has(key)) world.fail(name, `${key} was never answered`);
      }
    },
  };
}
