// No agent is started where it can only fail: when a run begins, the target of that time, or of a
// short while before, has passed its gate in truth. Where only a CI server judges, none begins after
// the server called the target red, before it calls it green (at a look, or when the queue has it judged
// again) or Pawl has landed on it.
import {
  projectOf,
  type AggregateId,
  type Commit,
  type ProjectName,
  type Tree,
} from "../../src/core/ids.ts";
import type { Run } from "../../src/core/run/run.ts";
import type { Journaled } from "../fact.ts";
import type { World } from "../world.ts";
import type { Checker } from "./checker.ts";

/** A look, a slow check and a daemon that was away may lie between a proof and the start. */
const RECENT_MS = 8 * 3_600_000;
/** Shorter than what a verdict may take (sim/config.ts). */
const VERDICT_MS = 3_600_000;

export function grounded(world: World): Checker {
  const name = "grounded";
  const verdicts = new ServerVerdicts(world);
  const seen = new Set<string>();
  /** When a tree passed last. */
  const passed = new Map<string, number>();
  /** Targets of the past, with the time until which they were the target. */
  const before = new Map<ProjectName, { tree: Tree; untilMs: number }[]>();

  function isGrounded(project: ProjectName): boolean {
    const { repository, target } = world.project(project);
    const since = world.clock.monotonicMs() - RECENT_MS;
    const passedAt = (tree: Tree): number => passed.get(`${project} ${tree}`) ?? -1;
    // A check may take hours, and the target may move meanwhile.
    const isRecent = ({ tree, untilMs }: { tree: Tree; untilMs: number }): boolean =>
      passedAt(tree) >= 0 && Math.max(untilMs, passedAt(tree)) >= since;
    return passedAt(repository.treeOf(target)) >= 0 || (before.get(project) ?? []).some(isRecent);
  }

  function journaled({ written }: Journaled): void {
    for (const one of written) {
      if (one.kind === "event") verdicts.looked(one);
      if (one.kind === "state" && one.state.kind === "run") saved(one.id, one.state);
    }
  }

  function saved(id: AggregateId, run: Run): void {
    if (seen.has(id)) return;
    seen.add(id);
    const { gates } = run.config.ci;
    if (gates.length > 0 && !isGrounded(run.project)) {
      world.fail(name, `${id} begins, and its target has not passed`);
    }
    if (gates.length === 0 && verdicts.isRed(run.project)) {
      world.fail(name, `${id} begins, and the CI server called its target red`);
    }
  }

  return {
    name,
    hear(fact) {
      if (fact.kind === "tree-checked") {
        const key = `${fact.project} ${fact.tree}`;
        if (fact.passed) passed.set(key, world.clock.monotonicMs());
      } else if (fact.kind === "journaled") journaled(fact.journaled);
      else if (fact.kind === "target-moved") {
        const tree = world.project(fact.project).repository.treeOf(fact.from);
        const past = before.get(fact.project) ?? [];
        if (fact.by === "pawl") verdicts.landed(fact);
        before.set(fact.project, [...past, { tree, untilMs: world.clock.monotonicMs() }]);
      }
    },
  };
}

/** What Pawl was told of a target by a CI server. */
class ServerVerdicts {
  readonly #world: World;
  /**
   * When the server called the target red last, and how far the wall clock was ahead then, as far as
   * nothing has changed that since.
   */
  readonly #red = new Map<ProjectName, { atMs: number; aheadMs: number }>();
  readonly #landedOn = new Set<string>();

  constructor(world: World) {
    this.#world = world;
  }

  isRed(project: ProjectName): boolean {
    return this.#red.has(project);
  }

  looked({ to, event }: Journaled["events"][number]): void {
    const project = projectOf(to);
    // The queue had the server judge the target again.
    if (event.kind === "target-checked" && event.outcome.kind === "passed") {
      this.#red.delete(project);
    }
    if (event.kind !== "target-looked") return;
    const { clock } = this.#world;
    const atMs = clock.monotonicMs();
    const now = { atMs, aheadMs: clock.now() - atMs };
    const { word, target } = event;
    if (word.kind === "passed") this.#red.delete(project);
    // A new verdict is waited for, but not for ever; a clock that jumps may make that short.
    const red = this.#red.get(project) ?? now;
    const isOver = atMs - red.atMs > VERDICT_MS || red.aheadMs !== now.aheadMs;
    if (word.kind === "open" && isOver) this.#red.delete(project);
    const isOld = this.#landedOn.has(`${project} ${target}`);
    if (word.kind === "failed" && !isOld) this.#red.set(project, now);
  }

  /** What Pawl lands has passed. */
  landed({ project, from }: { project: ProjectName; from: Commit }): void {
    this.#landedOn.add(`${project} ${from}`);
    this.#red.delete(project);
  }
}
