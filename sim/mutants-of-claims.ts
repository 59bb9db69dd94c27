// Bugs planted around what others do on the forge: branches they push to, and reviews they gave.
import type { Mutant } from "./mutant-list.ts";

export const CLAIM_MUTANTS: Mutant[] = [
  {
    name: "a branch that another writer pushed to counts as published",
    proves: "git port: another writer's push is reported and merged",
    by: ["pushed-work"],
    file: "src/daemon/effects/workspace-effects.ts",
    from: `    if (pushed.kind === "overtaken") {`,
    to: `    if (pushed.kind === "overtaken" && pushed.theirs === head) {`,
  },
];
