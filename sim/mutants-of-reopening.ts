// Bugs around issues that are opened again after their work landed, planted one at a time.
import type { Mutant } from "./mutant-list.ts";

export const REOPENING_MUTANTS: Mutant[] = [
  {
    name: "a fetch that was cancelled brings a landed branch back",
    proves: "the branch of what landed goes, and stays away",
    by: ["reopened"],
    file: "src/daemon/effects/workspace-effects.ts",
    from: `    context.signal.throwIfAborted();\n`,
    to: ``,
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
