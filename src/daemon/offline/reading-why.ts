// `pawl why` where no daemon runs: the same view as the API's.
import type { Project } from "../../core/project/project.ts";
import { issueOf } from "../../core/run/run.ts";
import type { StoreReader } from "../../ports/store.ts";
import type { FactoryPlace } from "../host/factory.ts";
import { projectAsked, type Asked } from "../routes/context.ts";
import { runNamed } from "../views/find-runs.ts";
import { hasOwnTracker, withIssues } from "../views/fresh-project.ts";
import type { Terminal } from "../views/crash-cause.ts";
import { whyView } from "../views/why.ts";
import { issuesOf, refreshed } from "./own-issues.ts";
import { readJournal } from "./read-journal.ts";

export const readWhy = (
  place: FactoryPlace,
  asked: Asked,
  ref: string,
): Promise<{ lines: string[] }> =>
  readJournal(place, async ({ store, now, paths }) => {
    const found = await projectAsked({ store }, asked);
    const project = await (hasOwnTracker(found)
      ? withAbout(store, found, { ref, now })
      : refreshed(store, found, now));
    const terminal: Terminal = async (run) =>
      (await import("./terminal-of.ts")).terminalOf(paths)(run);
    // A daemon that hangs is still there.
    const isAtWork = place.isHanging === true;
    return { lines: await whyView(store, { project, ref, now, terminal, isAtWork }) };
  });

/** Of the backlog, only what an answer about this one names: the rest may be thousands. */
async function withAbout(
  store: StoreReader,
  project: Project,
  { ref, now }: { ref: string; now: number },
): Promise<Project> {
  const wanted = ref.replace(/^#/, "");
  const run = await runNamed(store, project.name, wanted);
  const numbers = [Number(wanted), run === undefined ? undefined : issueOf(run)].filter(
    (number) => number !== undefined && Number.isSafeInteger(number),
  ) as number[];
  const told = numbers.flatMap((number) => project.waits?.[String(number)] ?? []);
  // An entry of the merge queue may be meant, whose issue only the whole view finds.
  if (numbers.length === 0) return refreshed(store, project, now);
  const forge = await issuesOf(store, project, now);
  return withIssues(project, forge, [...new Set([...numbers, ...told])]);
}
