// Set-up that fails is one question of the project: no other run begins while one waits for it, and no
// run asks for itself where it has done nothing yet.
import type { Event } from "../../src/core/event.ts";
import { projectOf, type AggregateId, type ProjectName, type RunId } from "../../src/core/ids.ts";
import type { Run } from "../../src/core/run/run.ts";
import type { Fact, Journaled } from "../fact.ts";
import type { World } from "../world.ts";
import type { Checker } from "./checker.ts";

/** Where none that waits answers, because all else fails too, the next run is let try after a minute. */
const FRESH_MS = 60_000;

export const setUp = (world: World): Checker => new SetUp(world);

class SetUp implements Checker {
  readonly name = "set-up";
  readonly #world: World;
  readonly #seen = new Set<AggregateId>();
  /** Runs whose set-up has failed, as the project knows, and when. */
  readonly #failed = new Map<ProjectName, Map<RunId, number>>();

  constructor(world: World) {
    this.#world = world;
  }

  hear(fact: Fact): void {
    if (fact.kind === "set-up-tried" && fact.ok) this.#failed.delete(fact.project);
    if (fact.kind === "journaled") this.#journaled(fact.journaled);
  }

  #journaled({ written }: Journaled): void {
    for (const one of written) {
      if (one.kind === "event") this.#heard(projectOf(one.to), one.event);
      if (one.kind === "state" && one.state.kind === "run") this.#look(one.id, one.state);
    }
  }

  #heard(project: ProjectName, event: Event): void {
    // Of two that ended at the same time, the project may hear of the one that passed last.
    if (event.kind === "set-up-passed") this.#failed.delete(project);
    if (event.kind === "set-up-failed") this.#of(project).set(event.run, this.#now());
  }

  #look(id: AggregateId, run: Run): void {
    const { project, stage } = run;
    const failed = this.#of(project);
    if (!this.#seen.has(id)) {
      this.#seen.add(id);
      const isKnown = [...failed.values()].some((at) => this.#now() - at < FRESH_MS);
      if (isKnown) this.#world.fail(this.name, `${id} begins, and set-up is known to fail`);
    }
    if (run.outcome !== undefined) failed.delete(run.id);
    if (stage.kind === "escalated" && isNew(run) && isAbout(stage.escalation.reason)) {
      this.#world.fail(this.name, `${id} asks about set-up, which is the project's question`);
    }
  }

  #of(project: ProjectName): Map<RunId, number> {
    const known = this.#failed.get(project) ?? new Map<RunId, number>();
    this.#failed.set(project, known);
    return known;
  }

  #now(): number {
    return this.#world.clock.monotonicMs();
  }
}

/** It has nothing from before that set-up could fail of. */
const isNew = ({ work, attempt, epoch, pr }: Run): boolean =>
  work.kind === "issue" && attempt === 1 && epoch === 0 && pr === undefined;

const isAbout = (reason: string): boolean => reason.startsWith("set-up failed");
