// Whether AGENTS.md wants a look: it says in its first line at which commit it was last reviewed,
// and much has landed since, or it says nothing of the kind.
import type { AgentsFile, Finding } from "./facts.ts";
import { found } from "./finding.ts";

const COMMITS_MIN = 20;
const WATERMARK = /^<!-- last-reviewed: ([0-9a-f]{7,40}) -->/;

export const reviewedAt = (text: string): string | undefined => WATERMARK.exec(text)?.[1];

export function agentsUpkeep(agents: AgentsFile | undefined): Finding[] {
  if (agents === undefined) return [];
  const { hash, reviewed, commits } = agents;
  if (reviewed === undefined) {
    const text = "AGENTS.md does not say at which commit it was last reviewed";
    return [found("P4", `agents:${hash}`, text)];
  }
  if (commits < COMMITS_MIN) return [];
  const text = `at least ${commits} commits have landed since AGENTS.md was last reviewed at ${reviewed}`;
  return [found("P4", `agents:${reviewed}`, text)];
}
