// The backlog in the journal is as fresh as the last look of a daemon. Where none runs, the
// reader is shown the tracker itself; nothing is written. A forge over a network is not asked: what
// is shown must not wait for it, nor need its token.
import { inOrder } from "../../core/project/backlog.ts";
import type { Project } from "../../core/project/project.ts";
import { backlogFacts } from "../observing/backlog-facts.ts";
import type { Forge } from "../../ports/forge.ts";
import type { Ports } from "../engine/ports.ts";

export async function freshProject(
  context: { ports: Ports; daemon: object | null },
  project: Project,
): Promise<Project> {
  if (context.daemon !== null || !hasOwnTracker(project)) return project;
  const { forge } = await context.ports.project(project.name);
  return withBacklog(project, forge);
}

/** Whether its issues are in the journal: reading them asks no network. */
export const hasOwnTracker = ({ config }: Project): boolean =>
  config !== undefined && config.forge === undefined;

export async function withBacklog(
  project: Project,
  forge: Pick<Forge, "issues" | "issue">,
): Promise<Project> {
  const open = await forge.issues({ state: "open" });
  return { ...project, backlog: inOrder(await backlogFacts(forge, open)) };
}

/** Its backlog is these of its issues, as far as they are open. */
export async function withIssues(
  project: Project,
  forge: Pick<Forge, "issue">,
  numbers: readonly number[],
): Promise<Project> {
  const found = await Promise.all(numbers.map((number) => forge.issue(number)));
  const open = found.flatMap((issue) => (issue?.state === "open" ? [issue] : []));
  return { ...project, backlog: inOrder(await backlogFacts(forge, open)) };
}
