// What a standing role is shown of a healthy factory with no issues, and what tests change of it.
import type { RoleFacts, RoleIssue } from "../../src/core/roles/facts.ts";

export const DAY_MS = 86_400_000;
export const AT = 100 * DAY_MS;

export const MACHINE = {
  freeMb: 8000,
  swapUsedMb: 0,
  diskUsedPercent: 20,
  loadPerCore: 0.5,
  journalMb: 5,
};

export const roleFacts = (change: Partial<RoleFacts> = {}): RoleFacts => ({
  at: AT,
  issues: [],
  prs: [],
  runs: { active: 1, landed: 0, blocked: 0 },
  queue: { waiting: 0, stopped: undefined },
  checks: [],
  machine: MACHINE,
  leftovers: [],
  staleWorkspaces: [],
  sessions: [],
  errors: [],
  letters: [],
  vision: undefined,
  agents: undefined,
  ...change,
});

/** Well described, and just written. */
export const roleIssue = (number: number, change: Partial<RoleIssue> = {}): RoleIssue => ({
  number,
  title: ["", "Parse dates", "Paint the fence", "Sort words"][number] ?? "",
  labels: ["backlog"],
  createdAt: AT,
  updatedAt: AT,
  unmet: [],
  dependsOn: [],
  bodyLength: 500,
  boxes: 2,
  hasCriteria: true,
  ...change,
});
