// Invariant (b): the target's tree has passed its gates, always. Pushes of others are not judged;
// every commit that Pawl moves the target to must have been run and passed, and be green in truth.
// The gates are those of the pawl.toml that was on the target. While that is invalid, those of any
// valid one before it count: a daemon may not have seen each of them.
import type { Commit } from "../../src/core/ids.ts";
import { configIn, configOf, POLICY_FILE } from "../config.ts";
import { problemOf } from "../truth.ts";
import type { SimProject, World } from "../world.ts";
import type { Checker } from "./checker.ts";

const NO_GATES = "[]";

export function provenTarget(world: World): Checker {
  const name = "proven-target";
  const { options } = world;
  const passed = new Set<string>();
  /** By project: the gates of every valid pawl.toml that was on the target. */
  const editions = new Map<string, Set<string>>();

  function gatesAt(project: SimProject, target: Commit): string | undefined {
    const config = configIn(options, project.repository.files(target).get(POLICY_FILE));
    return config === undefined ? undefined : JSON.stringify(config.ci.gates);
  }

  const earlier = (project: string): Set<string> => {
    const known = editions.get(project) ?? new Set([JSON.stringify(configOf(options).ci.gates)]);
    editions.set(project, known);
    return known;
  };

  function landed(project: SimProject, { from, to }: { from: Commit; to: Commit }): void {
    const { repository } = project;
    const tree = repository.treeOf(to);
    const gates = gatesAt(project, from);
    const wanted = gates === undefined ? [...earlier(project.name)] : [gates];
    // Without gates a CI server judges, and checkers/expected-checks.ts looks at it.
    const isProven = wanted.some(
      (one) => one === NO_GATES || passed.has(`${project.name} ${tree} ${one}`),
    );
    if (!isProven) {
      const which = gates === undefined ? "gates of an earlier pawl.toml" : `the gates ${gates}`;
      world.fail(
        name,
        `${to} landed on ${project.name}, but its tree ${tree} never passed ${which}`,
      );
    }
    const problem = problemOf(repository.filesOf(tree));
    if (problem !== undefined) world.fail(name, `${to} landed and is red: ${problem}`);
  }

  return {
    name,
    hear(fact) {
      if (fact.kind === "tree-checked") {
        if (fact.passed) passed.add(`${fact.project} ${fact.tree} ${fact.gates}`);
      } else if (fact.kind === "target-moved") {
        const project = world.project(fact.project);
        if (fact.by === "pawl") landed(project, fact);
        const gates = gatesAt(project, fact.to);
        if (gates !== undefined) earlier(fact.project).add(gates);
      }
    },
  };
}
