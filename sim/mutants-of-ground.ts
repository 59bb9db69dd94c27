// Bugs planted around the proof of the bare target: agents that start where they can only fail, and
// agents that are never started although they could succeed.
import type { Mutant } from "./mutant-list.ts";

export const GROUND_MUTANTS: Mutant[] = [
  {
    name: "agents start on an unchecked target",
    proves: "before the first agent starts, the gate runs on the bare target",
    by: ["grounded"],
    file: "src/core/project/ground.ts",
    from: `    proof?.kind === "waived" ||
    (proof?.kind === "open"`,
    to: `    proof?.kind !== "failed" ||
    (proof?.kind === "open"`,
  },
  {
    name: "a target that could not be checked once is never checked again",
    proves: "the question about a gate that cannot run ends by itself",
    by: ["liveness"],
    file: "src/core/merge-queue/prove.ts",
    from: `  return target.proof === "unknown" || target.proof === "broken";`,
    to: `  return target.proof === "unknown";`,
  },
  {
    name: "a target that is red on the CI server counts as one without a verdict",
    proves: "where only a CI server judges, no agent starts on a target that is red there",
    by: ["grounded"],
    file: "src/core/merge-queue/look-at-target.ts",
    from: `      return failed(queue, said, { failure: serverFailure(commit, word), context });`,
    to: `      return tellOpen({ ...queue, serverSaid: said }, "red", context);`,
  },
  {
    name: "after a red target agents start before the new one has a verdict",
    proves: "a CI server that was red is waited for until it has judged again",
    by: ["grounded"],
    file: "src/core/merge-queue/look-at-target.ts",
    from: `  if (redUntil > context.at) {`,
    to: `  if (redUntil > context.at && commit === queue.serverSaid?.commit) {`,
  },
  {
    name: "a CI server that was red once is never looked at again",
    proves: "the question about a target that is red on the CI server ends by itself",
    by: ["liveness"],
    file: "src/core/merge-queue/look-at-target.ts",
    from: `  const pauseMs = Math.max(1, limitsOf(queue).pollMs);`,
    to: `  const pauseMs = 1e12 + Math.max(1, limitsOf(queue).pollMs);`,
  },
];
