// Patrols leave alone what has an owner: an entry of the merge queue or a session that they take for
// an orphan's belongs to no run that goes on.
import { runAggregate, runId, type AggregateId } from "../../src/core/ids.ts";
import type { Run } from "../../src/core/run/run.ts";
import type { AggregateState } from "../../src/core/step.ts";
import type { NewOutboxRow } from "../../src/ports/store.ts";
import type { Event } from "../../src/core/event.ts";
import type { Fact } from "../fact.ts";
import { isCleared } from "../seen.ts";
import type { World } from "../world.ts";
import type { Checker } from "./checker.ts";

export const orphans = (world: World): Checker => new Orphans(world);

class Orphans implements Checker {
  readonly name = "orphans";
  readonly #world: World;
  readonly #runs = new Map<string, Run>();
  /** By queue and entry: whose it is. */
  readonly #owners = new Map<string, string>();

  constructor(world: World) {
    this.#world = world;
  }

  hear(fact: Fact): void {
    if (fact.kind !== "journaled") return;
    for (const one of fact.journaled.written) {
      if (one.kind === "state") this.#saved(one.id, one.state);
      if (one.kind === "event") this.#removed(one.to, one.event);
      if (one.kind === "effect") this.#settles(one.row);
    }
  }

  #saved(id: AggregateId, state: AggregateState): void {
    if (state.kind === "run") this.#runs.set(id, state);
    if (state.kind !== "queue") return;
    for (const { id: entry, run } of state.entries) {
      if (run === undefined) continue;
      this.#owners.set(`${id} ${entry}`, runAggregate(state.project, runId(run)));
    }
  }

  #removed(to: AggregateId, event: Event): void {
    if (event.kind !== "entry-removed" || event.by !== "deacon") return;
    const owner = this.#owners.get(`${to} ${event.entry}`) ?? "";
    if (this.#goesOn(owner)) this.#fail(`entry ${event.entry} of ${to} is taken from ${owner}`);
  }

  #settles({ aggregate, effect }: NewOutboxRow): void {
    if (effect.kind !== "settle-orphan" || effect.orphan.kind !== "session") return;
    const { run, epoch } = effect.orphan;
    const owner = `run:${aggregate.split(/[:/]/)[1]}/${run}`;
    if (this.#goesOn(owner) && this.#runs.get(owner)?.epoch === epoch) {
      this.#fail(`epoch ${epoch} of ${owner} is taken for an orphan`);
    }
  }

  #goesOn(owner: string): boolean {
    const run = this.#runs.get(owner);
    return run !== undefined && !isCleared(run);
  }

  #fail(message: string): void {
    this.#world.fail(this.name, message);
  }
}
