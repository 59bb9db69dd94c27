// Nothing lands before all expected checks of it have passed on the CI server. The world notes each
// check as the server reported it: beside gates the head of each branch must have passed, and where
// the server judges alone, the very tree that lands.
import type { Commit } from "../../src/core/ids.ts";
import { CONTEXTS } from "../ci-server.ts";
import { hasCiServer } from "../options.ts";
import { headsBetween, type World } from "../world.ts";
import type { Checker } from "./checker.ts";

export function expectedChecks(world: World): Checker {
  const name = "expected-checks";
  const isAlone = world.options.ciServer === "alone";
  const green = new Map<string, Set<string>>();
  /** Commits of which every expected check was green at once, and their trees. */
  const passed = new Set<string>();

  function reported(project: string, commit: Commit, check: { context: string; ok: boolean }) {
    const key = `${project} ${commit}`;
    const contexts = green.get(key) ?? new Set();
    green.set(key, contexts);
    if (check.ok) contexts.add(check.context);
    else contexts.delete(check.context);
    return CONTEXTS.every((context) => contexts.has(context));
  }

  return {
    name,
    hear(fact) {
      if (fact.kind === "check-reported") {
        const { project, commit, context, state } = fact;
        if (!reported(project, commit, { context, ok: state === "success" })) return;
        passed.add(`${project} ${commit}`);
        passed.add(`${project} ${world.project(project).repository.treeOf(commit)}`);
      }
      if (fact.kind !== "target-moved" || fact.by !== "pawl" || !hasCiServer(world.options)) return;
      const project = world.project(fact.project);
      const wanted = isAlone
        ? [project.repository.treeOf(fact.to)]
        : headsBetween(project, fact.from, fact.to);
      for (const one of wanted) {
        if (passed.has(`${fact.project} ${one}`)) continue;
        const still = CONTEXTS.filter(
          (context) => !green.get(`${fact.project} ${one}`)?.has(context),
        );
        world.fail(name, `${one} landed on ${fact.project} before ${still.join(", ")} had passed`);
      }
    },
  };
}
