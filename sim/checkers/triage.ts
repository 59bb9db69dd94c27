// Letters that are put before a model: so many a day at most, and each comes to an end that leaves
// evidence. A letter that was not judged in time is with the operator.
import type { Patrol } from "../../src/core/patrol/patrol.ts";
import { TRIAGE_PER_DAY } from "../config.ts";
import type { World } from "../world.ts";
import type { Checker } from "./checker.ts";

export function triage(world: World): Checker {
  const name = "triage";
  const asked = new Map<string, number>();
  const open = new Set<string>();

  function requested(project: string, at: number): void {
    const day = `${project} ${new Date(at).toISOString().slice(0, 10)}`;
    const times = (asked.get(day) ?? 0) + 1;
    asked.set(day, times);
    if (times > TRIAGE_PER_DAY)
      world.fail(name, `${times} letters were put before a model: ${day}`);
  }

  function journaled(id: string, patrol: Patrol): void {
    const letters = new Set(patrol.triage?.open.map(({ key }) => key));
    const judged = new Set(patrol.triage?.log.map(({ letter }) => `${id}:triage:${letter}`));
    for (const key of [...open].filter((one) => one.startsWith(`${id}:`) && !letters.has(one))) {
      open.delete(key);
      if (!judged.has(key)) world.fail(name, `${key} is no longer judged, without a reason`);
    }
    for (const key of letters) open.add(key);
  }

  return {
    name,
    hear(fact) {
      if (fact.kind !== "journaled") return;
      for (const { to, event } of fact.journaled.events) {
        const isAsked = event.kind === "task-requested" && event.task.key.includes(":triage:");
        if (isAsked) requested(to, event.at);
      }
      for (const { id, state } of fact.journaled.states)
        if (state.kind === "patrol") journaled(id, state);
    },
    atEnd() {
      for (const key of open) world.fail(name, `${key} is still being judged`);
    },
  };
}
