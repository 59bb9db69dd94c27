// Invariant (b): the target's tree has passed its gates, always. What others push is their affair;
// whatever Pawl moves the target to must have been run and passed, and be green in truth.
import { configOf } from "../config.ts";
import { problemOf } from "../truth.ts";
import type { World } from "../world.ts";
import type { Checker } from "./checker.ts";

export function provenTarget(world: World): Checker {
  const name = "proven-target";
  const gates = JSON.stringify(configOf(world.options).ci.gates);
  const passed = new Set<string>();
  return {
    name,
    hear(fact) {
      if (fact.kind === "tree-checked") {
        if (fact.passed && fact.gates === gates) passed.add(`${fact.project} ${fact.tree}`);
      } else if (fact.kind === "target-moved" && fact.by === "pawl") {
        const { repository } = world.project(fact.project);
        const tree = repository.treeOf(fact.to);
        // Without gates a CI server judges, and checkers/expected-checks.ts looks at it.
        if (gates !== "[]" && !passed.has(`${fact.project} ${tree}`)) {
          world.fail(
            name,
            `${fact.to} landed on ${fact.project}, but its tree ${tree} never passed`,
          );
        }
        const problem = problemOf(repository.filesOf(tree));
        if (problem !== undefined) world.fail(name, `${fact.to} landed and is red: ${problem}`);
      }
    },
  };
}
