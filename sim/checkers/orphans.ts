// Patrols leave alone what has an owner: an entry of the merge queue or a session that they take for
// an orphan's belongs to no run that goes on.
import { runAggregate, runId } from "../../src/core/ids.ts";
import type { Run } from "../../src/core/run/run.ts";
import type { Fact, Journaled } from "../fact.ts";
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
    this.#check(fact.journaled);
    for (const { id, state } of fact.journaled.states) {
      if (state.kind === "run") this.#runs.set(id, state);
      if (state.kind !== "queue") continue;
      for (const { id: entry, run } of state.entries) {
        if (run === undefined) continue;
        this.#owners.set(`${id} ${entry}`, runAggregate(state.project, runId(run)));
      }
    }
  }

  #check({ events, effects }: Journaled): void {
    for (const { to, event } of events) {
      if (event.kind !== "entry-removed" || event.by !== "deacon") continue;
      const owner = this.#owners.get(`${to} ${event.entry}`) ?? "";
      if (this.#goesOn(owner)) this.#fail(`entry ${event.entry} of ${to} is taken from ${owner}`);
    }
    for (const { aggregate, effect } of effects) {
      if (effect.kind !== "settle-orphan" || effect.orphan.kind !== "session") continue;
      const { run, epoch } = effect.orphan;
      const owner = `run:${aggregate.split(/[:/]/)[1]}/${run}`;
      if (this.#goesOn(owner) && this.#runs.get(owner)?.epoch === epoch) {
        this.#fail(`epoch ${epoch} of ${owner} is taken for an orphan`);
      }
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
