// Planted bugs that make Pawl itself break (see mutant-list.ts).
import type { Mutant } from "./mutant-list.ts";

export const ERROR_MUTANTS: Mutant[] = [
  {
    name: "a few facts from one event are too many",
    proves: "Pawl itself never breaks: whatever follows from an event is taken in",
    by: ["errors"],
    file: "src/daemon/engine/loop.ts",
    from: `const TELLS_MAX = 1_000_000;`,
    to: `const TELLS_MAX = 5;`,
  },
];
