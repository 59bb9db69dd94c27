// An operation is given to one worker at a time: while a formula or an agent is asked for on an
// `action` issue, no other is, however often the issue seems ready.
import type { Event } from "../../src/core/event.ts";
import type { FormulaRun } from "../../src/core/formula/run.ts";
import { projectOf, type AggregateId, type ProjectName } from "../../src/core/ids.ts";
import type { Fact } from "../fact.ts";
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
    const { events, states } = fact.journaled;
    // In the order in which they were applied: one transaction may begin and end the same work, and
    // save a formula twice.
    for (const { to, event } of events) this.#happened(projectOf(to), event);
    for (const { id, state } of states) if (state.kind === "formula") this.#saved(id, state);
    // What ends in a transaction makes room for what begins in it.
    this.#check();
  }

  #happened(project: ProjectName, event: Event): void {
    if (event.kind === "task-requested") {
      const { by, key } = event.task;
      if (by.startsWith("action:")) this.#begin(by, `${project} ${key}`);
    }
    const isAnswer = event.kind === "task-finished" && event.outcome.kind !== "nothing";
    if (isAnswer || event.kind === "task-withdrawn") this.#end(`${project} ${event.key}`);
  }

  #saved(id: AggregateId, run: FormulaRun): void {
    const [, issue] = /^action-(\d+)\.\d+$/.exec(run.id) ?? [];
    if (issue === undefined) return;
    if (run.outcome === undefined) this.#begin(`action:${run.project}/${issue}`, id);
    else this.#end(id);
  }

  #begin(action: string, work: string): void {
    this.#open.set(action, (this.#open.get(action) ?? new Set()).add(work));
  }

  #end(work: string): void {
    for (const open of this.#open.values()) open.delete(work);
  }

  #check(): void {
    for (const open of this.#open.values()) {
      if (open.size > 1) this.#world.fail(this.name, `${[...open].join(" and ")} are both open`);
    }
  }
}
