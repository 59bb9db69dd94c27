// Planted bugs in what happens to work that cannot be saved.
import type { Mutant } from "./mutant-list.ts";

export const SAVING_MUTANTS: Mutant[] = [
  {
    name: "a workspace that stays is called removed",
    proves: "(f) nothing is removed that is not saved",
    by: ["kept-workspaces"],
    file: "src/daemon/effects/workspace-effects.ts",
    from: `    return removal.kind === "removed"`,
    to: `    return removal.kind !== undefined`,
  },
  {
    name: "a workspace stays and no one is told",
    proves: "what cannot be saved is a person's affair",
    by: ["kept-workspaces"],
    file: "src/core/run/failures.ts",
    from: `  notify(run, { severity: "urgent", about, round: "workspace" }, context);`,
    to: `  if (about === "") notify(run, { severity: "urgent", about, round: "workspace" }, context);`,
  },
];
