// Bugs in what is said about a landing, planted one at a time.
import type { Mutant } from "./mutant-list.ts";

export const LANDING_MUTANTS: Mutant[] = [
  {
    name: "every entry of a batch is said to be its last commit",
    proves: "an entry is told which commit it became",
    by: ["landed-as"],
    file: "src/core/merge-queue/landing.ts",
    from: "commit: tips[index] ?? commit",
    to: "commit: tips.at(-1) ?? commit, index",
  },
];
