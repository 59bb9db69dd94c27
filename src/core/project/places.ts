// The places of a project: how many runs take one, and which port range is free.
import type { Project } from "./project.ts";

/** Runs that count against `parallel`: those of issues, and tasks that say so. */
export const placesTaken = ({ active }: Project): number =>
  active.filter(({ task }) => task === undefined || task.takesPlace).length;

export function freeSlot(project: Project): number {
  const taken = new Set([...project.active, ...project.leaving].map((run) => run.slot));
  let slot = 0;
  while (taken.has(slot)) slot += 1;
  return slot;
}
