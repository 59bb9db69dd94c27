// Bugs planted around the lanes of a run: what waits for the forge, and what must not.
import type { Mutant } from "./mutant-list.ts";

export const LANE_MUTANTS: Mutant[] = [
  {
    name: "a run settles its issue in the lane of its session",
    proves: "what needs the forge never keeps a session from being ended",
    by: ["ends-in-time"],
    file: "src/core/run/obligations.ts",
    from: `  return needs === "session" ? aggregate`,
    to: `  return needs === "session" || needs === "forge" ? aggregate`,
  },
];
