// Which part of what is known belongs to the project that a person chose.
import type { Facts } from "./facts.ts";

/** Only what belongs to one project; everything where none is chosen. */
export function ofProject(facts: Facts, project: string | undefined): Facts {
  if (project === undefined) return facts;
  const isOwn = (one: { project: string }): boolean => one.project === project;
  const { status, asked, done, vault } = facts;
  return {
    status: {
      ...status,
      projects: status.projects.filter(({ name }) => name === project),
      runs: status.runs.filter(isOwn),
      queue: status.queue.filter(isOwn),
      waits: status.waits.filter(isOwn),
      landed: status.landed.filter(isOwn),
    },
    asked: asked.filter(isOwn),
    done: { ...done, rows: done.rows.filter(isOwn) },
    vault: vault.filter(isOwn),
  };
}
