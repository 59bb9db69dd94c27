// Bugs around CI servers, planted one at a time.
import type { Mutant } from "./mutant-list.ts";

const CHECK = "src/daemon/effects/check.ts";

export const CI_SERVER_MUTANTS: Mutant[] = [
  {
    name: "a CI server that broke counts as green",
    proves: "nothing lands before all expected checks of its head have passed",
    by: ["expected-checks"],
    file: CHECK,
    from: `    if (byServer.kind === "infra") return byServer;`,
    to: `    if (byServer.kind === "infra") return byGates;`,
  },
  {
    name: "the queue lands without asking the CI server",
    proves: "where a CI server judges alone, it has judged the tree that lands",
    by: ["expected-checks"],
    file: CHECK,
    from: `  if (gates.length > 0) return byGates;
  const { timeoutMs }`,
    to: `  if (gates.length >= 0) return byGates;
  const { timeoutMs }`,
  },
];
