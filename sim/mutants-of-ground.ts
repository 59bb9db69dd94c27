// Bugs planted around the proof of the bare target: agents that start where they can only fail, and
// agents that are never started although they could succeed.
import type { Mutant } from "./mutant-list.ts";

export const GROUND_MUTANTS: Mutant[] = [
  {
    name: "agents start on an unchecked target",
    proves: "before the first agent starts, the gate runs on the bare target",
    by: ["grounded"],
    file: "src/core/project/ground.ts",
    from: `  (!needsProof(config.ci) || proof?.kind === "green" || proof?.kind === "waived");`,
    to: `  (!needsProof(config.ci) || proof?.kind !== "failed");`,
  },
  {
    name: "a target that could not be checked once is never checked again",
    proves: "the question about a gate that cannot run ends by itself",
    by: ["liveness"],
    file: "src/core/merge-queue/prove.ts",
    from: `  return target.proof === "unknown" || target.proof === "broken";`,
    to: `  return target.proof === "unknown";`,
  },
];
