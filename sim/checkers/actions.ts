// An operation is given to one worker at a time: while a formula or an agent is asked for on an
// `action` issue, no other is, however often the issue seems ready.
import { projectOf } from "../../src/core/ids.ts";
import type { Fact, Journaled } from "../fact.ts";
import type { World } from "../world.ts";
import type { Checker } from "./checker.ts";

export const actions = (world: World): Checker => new Actions(world);

class Actions implements Checker {
  readonly name = "actions";
  readonly #world: World;
  /** By action: the tasks and formulas that are asked for and not over. */
  readonly #open = new Map<string, Set<string>>();

  constructor(world: World) {
    this.#world = world;
  }

  hear(fact: Fact): void {
    if (fact.kind !== "journaled") return;
    // What ends in a transaction makes room for what begins in it.
    this.#ended(fact.journaled);
    this.#begun(fact.journaled);
  }

  #ended({ events, states }: Journaled): void {
    for (const { to, event } of events) {
      const isAnswer = event.kind === "task-finished" && event.outcome.kind !== "nothing";
      if (isAnswer || event.kind === "task-withdrawn") this.#close(`${projectOf(to)} ${event.key}`);
    }
    for (const { id, state } of states) {
      if (state.kind === "formula" && state.outcome !== undefined) this.#close(id);
    }
  }

  #begun({ events, states }: Journaled): void {
    for (const { to, event } of events) {
      if (event.kind !== "task-requested") continue;
      const { by, key } = event.task;
      if (by.startsWith("action:")) this.#add(by, `${projectOf(to)} ${key}`);
    }
    for (const { id, state } of states) {
      if (state.kind !== "formula" || state.outcome !== undefined) continue;
      const [, issue] = /^action-(\d+)\.\d+$/.exec(state.id) ?? [];
      if (issue !== undefined) this.#add(`action:${state.project}/${issue}`, id);
    }
  }

  #add(action: string, work: string): void {
    const open = (this.#open.get(action) ?? new Set()).add(work);
    this.#open.set(action, open);
    if (open.size > 1) this.#world.fail(this.name, `${[...open].join(" and ")} are both open`);
  }

  #close(work: string): void {
    for (const open of this.#open.values()) open.delete(work);
  }
}
