// Builds of the merge queue and of the checks are released when no entry needs them any more.
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Project } from "../../../core/project/project.ts";
import type { Check, Trouble } from "../check.ts";
import { statOf } from "../files.ts";
import type { Inspection } from "../inspection.ts";

/** A build that has just been made may not be in the journal yet. */
const OLD_MS = 60 * 60_000;

export const candidatesCheck: Check = {
  id: "candidates",
  title: "leftover builds of the merge queue",
  run: async (inspection) => {
    const wanted = await wantedRefs(inspection);
    const found = await Promise.all(
      (await inspection.projects()).map((project) => look(inspection, project, wanted)),
    );
    return found.flat();
  },
};

type IsWanted = (project: Project, ref: string) => boolean;

/** Every ref that a queue or a waiting effect names. */
async function wantedRefs({ states, store }: Inspection): Promise<IsWanted> {
  const queues = (await states()).filter((state) => state.kind === "queue");
  const texts = new Map(queues.map((queue) => [queue.project, JSON.stringify(queue)]));
  const outbox = await store.outbox();
  const waiting = JSON.stringify(outbox.map(({ effect }) => effect));
  const checked = outbox.flatMap(({ effect }) =>
    effect.kind === "check-branch" ? [`check/${effect.branch}`] : [],
  );
  return ({ name }, ref) =>
    checked.includes(ref) ||
    waiting.includes(`"${ref}"`) ||
    texts.get(name)?.includes(`"${ref}"`) === true;
}

async function look(
  { paths, now, ports }: Inspection,
  project: Project,
  isWanted: IsWanted,
): Promise<Trouble[]> {
  const folder = join(paths.hub(project.name), "refs", "pawl", "queue");
  if ((await statOf(folder)) === undefined) return [];
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const refs = entries
    .filter((entry) => entry.isFile() && !entry.name.endsWith(".lock"))
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
  const found = await Promise.all(
    refs.map(async (ref): Promise<Trouble[]> => {
      const there = await statOf(join(folder, ref));
      if (there === undefined || now - there.mtimeMs < OLD_MS || isWanted(project, ref)) return [];
      const apply = async (): Promise<void> => {
        await (await ports.project(project.name)).git.releaseCandidate(ref);
      };
      const what = `the build ${ref} of ${project.name} is kept, but no entry needs it`;
      return [{ key: `${project.name} ${ref}`, what, fix: { plan: `release ${ref}`, apply } }];
    }),
  );
  return found.flat();
}
