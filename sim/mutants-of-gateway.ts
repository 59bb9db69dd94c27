// Planted bugs in what a session's gateway lets through.
import type { Mutant } from "./mutant-list.ts";

const METER = "src/core/gateway/meter.ts";

export const GATEWAY_MUTANTS: Mutant[] = [
  {
    name: "a request over the budget is let through",
    proves: "a budget stops the next request",
    by: ["model-requests"],
    file: METER,
    from: `  const reached = overspent(terms.budget, meter.spent, terms.from);`,
    to: `  const reached = overspent(terms.budget, terms.from, terms.from);`,
  },
  {
    name: "a limited key is used again",
    proves: "a 429 pauses the key",
    by: ["model-requests"],
    file: METER,
    from: `  if (limit !== undefined && limit.until > at) return { kind: "limited", limit };`,
    to: `  if (limit !== undefined && limit.until <= at) return { kind: "limited", limit };`,
  },
  {
    name: "a new life forgets what the run has spent",
    proves: "a budget is the run's, not the session's",
    by: ["model-requests"],
    file: "src/daemon/effects/open-gateway.ts",
    from: `    spent: run.spending?.total ?? NOTHING,`,
    to: `    spent: NOTHING,`,
  },
];
