// Why a project starts no run, and what each of its issues waits for: asked by its step and by views.
import { limitText } from "./accounts.ts";
import type { IssueFacts } from "./backlog.ts";
import { groundFailure, groundTitle } from "./ground.ts";
import type { Project } from "./project.ts";

/** What keeps the project from starting runs; undefined where nothing does. */
export function standstill(project: Project): string | undefined {
  return closedBy(project) ?? limitText(project);
}

/** The same without limits: another account may be free, so that each issue is asked about. */
export function closedBy(project: Project): string | undefined {
  const { paused, closed } = project;
  if (paused !== undefined) return paused.why;
  const failed = groundFailure(project);
  if (failed !== undefined) {
    return `${groundTitle(project, failed.failure)}: ${failed.failure.why}`;
  }
  if (closed !== undefined) {
    return `budget: ${closed.reason}, until ${new Date(closed.until).toISOString()}`;
  }
  return undefined;
}

/** The issue with what its last agent says it waits for, as far as that is open. */
export function withWaits(
  { waits, backlog }: Pick<Project, "backlog" | "waits">,
  issue: IssueFacts,
): IssueFacts {
  const told = waits?.[String(issue.number)] ?? [];
  const open = told.filter((number) => backlog.some((other) => other.number === number));
  if (open.length === 0) return issue;
  return { ...issue, unmet: [...new Set([...issue.unmet, ...open])] };
}
