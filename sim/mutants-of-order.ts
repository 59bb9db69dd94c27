// Bugs that show only where answers arrive in another order than they were asked for, planted one at
// a time.
import type { Mutant } from "./mutant-list.ts";

export const ORDER_MUTANTS: Mutant[] = [
  {
    name: "looks at one session overtake each other",
    proves: "(d) the order in which answers arrive changes nothing",
    by: ["taken-once"],
    file: "src/daemon/sessions/watched-session.ts",
    from: `    await before;
    try {`,
    to: `    before.catch(() => undefined);
    try {`,
  },
];
