// Bugs planted around effects that a daemon dies of.
import type { Mutant } from "./mutant-list.ts";

export const POISON_MUTANTS: Mutant[] = [
  {
    name: "an effect that kills its daemon is started again every time",
    proves: "an effect that two daemons died of is not started again",
    by: ["poison"],
    file: "src/daemon/engine/outbox.ts",
    from: `    if (poison !== undefined) return this.#quarantine(row, poison);`,
    to: `    if (poison === row) return this.#quarantine(row, poison);`,
  },
  {
    name: "the deaths of an effect are forgotten at every start",
    proves: "deaths are counted in the journal, by effect",
    by: ["poison"],
    file: "src/daemon/engine/poison.ts",
    from: `    for (const { key } of known) if (!waiting.has(key)) await records.delete(DEATHS, key);`,
    to: `    for (const { key } of known) await records.delete(DEATHS, key);`,
  },
];
