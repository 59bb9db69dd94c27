// The question of a project whose budget of the day is spent. Unlike that of an agent, its words are
// Pawl's own, and at its deadline agents start again.
import type { EscalationView } from "./escalations.ts";

export const isOfBudget = ({ run, identity }: EscalationView): boolean =>
  run === null && identity === "budget";
