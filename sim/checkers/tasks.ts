// A task that was requested is given to one run, and that run ends once: accepted by the asker,
// landed, failed, or withdrawn by the asker. None is forgotten, and none is refused for ever.
import { projectOf } from "../../src/core/ids.ts";
import type { Run } from "../../src/core/run/run.ts";
import type { Fact, Journaled } from "../fact.ts";
import type { World } from "../world.ts";
import type { Checker } from "./checker.ts";

const REFUSALS_MAX = 3;

export const tasks = (world: World): Checker => new Tasks(world);

class Tasks implements Checker {
  readonly name = "tasks";
  readonly #world: World;
  readonly #asked = new Set<string>();
  readonly #accepted = new Set<string>();
  readonly #withdrawn = new Set<string>();
  readonly #runOf = new Map<string, string>();
  readonly #endOf = new Map<string, string>();
  /** Runs that have ended. */
  readonly #over = new Set<string>();

  constructor(world: World) {
    this.#world = world;
  }

  hear(fact: Fact): void {
    if (fact.kind !== "journaled") return;
    this.#note(fact.journaled);
    for (const { state } of fact.journaled.states) {
      if (state.kind === "run") this.#journaled(state);
    }
  }

  atEnd(): void {
    for (const key of this.#asked) {
      if (this.#endOf.has(key) || this.#withdrawn.has(key)) continue;
      this.#fail(`${key} was never answered`);
    }
  }

  #note({ events }: Journaled): void {
    for (const { to, event } of events) {
      // Two projects may ask under the same key.
      const keyed = (key: string): string => `${projectOf(to)} ${key}`;
      if (event.kind === "task-requested") this.#asked.add(keyed(event.task.key));
      if (event.kind === "task-accepted") this.#accepted.add(keyed(event.key));
      if (event.kind === "task-withdrawn") this.#withdrawn.add(keyed(event.key));
    }
  }

  #journaled(run: Run): void {
    if (run.work.kind !== "task") return;
    const id = `${run.project}/${run.id}`;
    if (this.#over.has(id)) return;
    const { task, refusals } = run.work;
    const key = `${run.project} ${task.key}`;
    this.#given(key, id);
    if (refusals > REFUSALS_MAX) this.#fail(`${id} was refused ${refusals} times and goes on`);
    if (run.outcome === undefined) return;
    this.#over.add(id);
    this.#ended(key, run.outcome.kind);
  }

  /** A key is for one run, also once that is over. */
  #given(key: string, id: string): void {
    const known = this.#runOf.get(key) ?? id;
    this.#runOf.set(key, id);
    if (known !== id) this.#fail(`${key} was given to ${known} and to ${id}`);
  }

  #ended(key: string, end: string): void {
    const before = this.#endOf.get(key) ?? end;
    if (before !== end) this.#fail(`${key} ended as ${before} and as ${end}`);
    this.#endOf.set(key, end);
    if (end === "answered" && !this.#accepted.has(key)) {
      this.#fail(`${key} counts as answered, but its answer was never accepted`);
    }
    if (end === "closed" && !this.#withdrawn.has(key)) {
      this.#fail(`${key} was given up without being withdrawn`);
    }
  }

  #fail(message: string): void {
    this.#world.fail(this.name, message);
  }
}
