// Bugs around issues that are opened again after their work landed, planted one at a time.
import type { Mutant } from "./mutant-list.ts";

export const REOPENING_MUTANTS: Mutant[] = [
  {
    name: "the branch of what landed stays",
    proves: "the branch of what landed goes, and stays away",
    by: ["reopened"],
    file: "src/core/run/obligations.ts",
    from: `    add("delete-branch", "delete-branch", ()`,
    to: `    if (head === "") add("delete-branch", "delete-branch", ()`,
  },
  {
    name: "what landed before closes an issue that was opened again",
    proves: "an issue that was opened again is closed only by new work",
    by: ["reopened"],
    file: "src/core/run/phase-reactions.ts",
    from: `  const isOld = event.head === run.landedHead;`,
    to: `  const isOld = event.head === "";`,
  },
];
