// What stands above all that `pawl run` tells: who works on what, and on which terms.
import type { StatusView } from "../../api/runs.ts";
import type { Deps } from "../deps.ts";
import { sayTerms } from "./terms.ts";
import { paint } from "./text.ts";

/** `project`: the one that is meant, once it is known. */
export type Heading = (status: StatusView, project?: string) => Promise<void>;
type Meant = { all?: true | undefined; project?: string | undefined };

/**
 * Who works on what, and on which terms: each is said once. Where progress comes first, it waits
 * until this stands above it.
 */
export function createHeading(deps: Deps, meant: Meant): Heading {
  let isOpened = false;
  const named = new Set<string>();
  const say = async (projects: StatusView["projects"]): Promise<void> => {
    if (!isOpened) deps.stderr(`${paint(deps, "dim", opening(projects))}\n`);
    isOpened = true;
    // A project that is being registered has none yet.
    for (const project of projects.filter(({ terms = [] }) => terms.length > 0)) {
      if (named.has(project.name)) continue;
      named.add(project.name);
      await sayTerms(deps, project);
    }
  };
  let last: Promise<void> = Promise.resolve();
  return (status, project = meant.project) => {
    const projects = meantOf(status, deps.cwd, { ...meant, project });
    const isKnown = meant.all === true || projects.length === 1;
    return (last = isKnown ? last.then(() => say(projects)) : last);
  };
}

/** While the project of the folder is being looked up, the status still has all of them. */
function meantOf({ projects }: StatusView, cwd: string, { all, project }: Meant) {
  if (all === true) return projects;
  if (project !== undefined) return projects.filter(({ name }) => name === project);
  return projects
    .filter(({ root }) => cwd === root || cwd.startsWith(`${root}/`))
    .toSorted((one, other) => other.root.length - one.root.length)
    .slice(0, 1);
}

/** Who works on what, and how to leave without harm. */
function opening(projects: StatusView["projects"]): string {
  const names = projects.map(
    ({ name, target, parallel }) => `${name} (onto ${target}, ${parallel} at once)`,
  );
  return `Working on ${names.join(", ")}. Ctrl-C stops Pawl; agents keep running.`;
}
