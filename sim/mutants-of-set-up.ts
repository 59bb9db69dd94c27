// Bugs planted around set-up that fails in every new workspace.
import type { Mutant } from "./mutant-list.ts";

export const SET_UP_MUTANTS: Mutant[] = [
  {
    name: "agents are started although set-up is known to fail",
    proves: "no other run begins while set-up fails",
    by: ["set-up"],
    file: "src/core/project/ground.ts",
    from: `  return setUp === undefined ? gate : [...gate, asFailure(setUp)];`,
    to: `  return gate;`,
  },
  {
    name: "every run asks for itself about set-up that fails",
    proves: "set-up that fails is one question of the project",
    by: ["set-up"],
    file: "src/daemon/effects/make-workspace.ts",
    from: `    if (wanted.from !== undefined || isFound || made.head !== made.base) throw setUpFailed(failure);`,
    to: `    if (!isFound) throw setUpFailed(failure);`,
  },
  {
    name: "set-up that failed is never tried again",
    proves: "the question about set-up ends by itself",
    by: ["liveness"],
    file: "src/core/project/set-up.ts",
    from: `  return tryAgain(project, { tries: setUp.tries + 1 }, context);`,
    to: `  return { ...project, setUp: { ...setUp, againAt: context.at + RETRY_MAX_MS } };`,
  },
];
