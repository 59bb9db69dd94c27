// Bugs planted around the archive of what is over.
import type { Mutant } from "./mutant-list.ts";

export const ARCHIVE_MUTANTS: Mutant[] = [
  {
    name: "a run that is over stays among what is alive",
    proves: "what is over is archived in the transaction that ends it",
    by: ["archive"],
    file: "src/daemon/engine/save-state.ts",
    from: `  if (entry === undefined) return`,
    to: `  if (entry === undefined || entry.kind === "run") return`,
  },
  {
    name: "what changes after its end is alive and archived at once",
    proves: "an id is alive or archived, never both",
    by: ["archive"],
    file: "src/store/memory.ts",
    from: `      tables.aggregates.set(id, { id, version, state });
      tables.archive.delete(id);`,
    to: `      tables.aggregates.set(id, { id, version, state });`,
  },
];
