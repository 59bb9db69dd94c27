// Bugs that let a stranger on the forge decide, planted one at a time.
import type { Mutant } from "./mutant-list.ts";

export const STRANGER_MUTANTS: Mutant[] = [
  {
    name: "every account's comment decides about the vault",
    proves: "a verdict's author is its giver",
    by: ["verdicts"],
    file: "src/daemon/observing/observe-verdicts.ts",
    from: `own !== true && operators.includes(author.toLowerCase()) && Number(id) > Number(posted),`,
    to: `own !== true && author !== "" && Number(id) > Number(posted),`,
  },
  {
    name: "a required review is not waited for",
    proves: "a branch lands only with an approval of exactly its head",
    by: ["verdicts"],
    file: "src/core/run/run.ts",
    from: `  if (!required && role === undefined) return false;`,
    to: `  if (!required || role === undefined) return false;`,
  },
];
