// No agent is started where it can only fail: when a run begins, the target of that time, or of a
// short while before, has passed its gate in truth.
import type { ProjectName, Tree } from "../../src/core/ids.ts";
import type { Journaled } from "../fact.ts";
import type { World } from "../world.ts";
import type { Checker } from "./checker.ts";

/** A look, a slow check and a daemon that was away may lie between a proof and the start. */
const RECENT_MS = 8 * 3_600_000;

export function grounded(world: World): Checker {
  const name = "grounded";
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

  function journaled({ states }: Journaled): void {
    for (const { id, state } of states) {
      if (state.kind !== "run" || seen.has(id)) continue;
      seen.add(id);
      if (state.config.ci.gates.length > 0 && !isGrounded(state.project)) {
        world.fail(name, `${id} begins, and its target has not passed`);
      }
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
        before.set(fact.project, [...past, { tree, untilMs: world.clock.monotonicMs() }]);
      }
    },
  };
}
