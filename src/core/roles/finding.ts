// How findings are made: the small words that every preflight shares.
import type { Finding, RoleIssue } from "./facts.ts";

const DAY_MS = 86_400_000;

export const found = (level: Finding["level"], name: string, text: string): Finding => ({
  level,
  name,
  text,
});

export const has = (issue: RoleIssue, label: string): boolean => issue.labels.includes(label);

/** Seen again after a change it is another finding. */
export function quiet(issue: RoleIssue, at: number, days: number): Finding[] {
  const { number, updatedAt } = issue;
  if (at - updatedAt < days * DAY_MS) return [];
  return [found("P4", `stale:${number}:${updatedAt}`, `#${number}: no change for ${days} days`)];
}
