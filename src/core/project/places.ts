// The places of a project: how many runs take one, which port range is free, and under which key the
// attempts of an identity are counted.
import type { ActiveRun, Past, Project } from "./project.ts";

/** Runs that count against `parallel`: those of issues, and tasks that say so. */
export const placesTaken = ({ active }: Project): number =>
  active.filter(({ task }) => task === undefined || task.takesPlace).length;

export function freeSlot(project: Project): number {
  const taken = new Set([...project.active, ...project.leaving].map((run) => run.slot));
  let slot = 0;
  while (taken.has(slot)) slot += 1;
  return slot;
}

export const historyKey = ({ issue, task }: Pick<ActiveRun, "issue" | "task">): string =>
  task?.identity ?? String(issue);

export const pastOf = (project: Project, key: string): Past =>
  project.history[key] ?? { attempts: 0, epoch: 0 };
