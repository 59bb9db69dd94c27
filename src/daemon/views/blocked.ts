// Issues that Pawl gave up on: a person decides whether they are tried again. An issue that a
// person labelled `blocked` without a run waits on purpose, so it is not listed.
import type { WaitView } from "../../api/runs.ts";
import { readiness } from "../../core/project/backlog.ts";
import type { Project } from "../../core/project/project.ts";
import { withWaits } from "../../core/project/standstill.ts";
import type { Run } from "../../core/run/run.ts";
import type { StoreReader } from "../../ports/store.ts";

/** Each costs a question to the history; more of them are a count. */
const SHOWN_MAX = 10;

export async function blockedWaits(
  store: Pick<StoreReader, "named">,
  project: Project,
): Promise<WaitView[]> {
  const blocked = project.backlog.filter(
    (issue) => readiness(withWaits(project, issue)).kind === "blocked",
  );
  const asked = blocked.slice(0, SHOWN_MAX).map(async ({ number, title }) => {
    const last = await lastRun(store, project, number);
    if (last?.outcome?.kind !== "blocked") return [];
    const about = `#${number} ${title}`;
    const why = `blocked: ${last.outcome.reason}`;
    return [{ project: project.name, about, why, needs_you: true, command: retry(number) }];
  });
  const waits: WaitView[] = (await Promise.all(asked)).flat();
  const rest = blocked.length - SHOWN_MAX;
  if (rest <= 0 || waits.length === 0) return waits;
  const why = `${rest} more issues have the label \`blocked\``;
  const command = "pawl issue list --label blocked";
  return [...waits, { project: project.name, about: "backlog", why, needs_you: true, command }];
}

export const retry = (issue: number): string => `pawl retry ${issue}`;

async function lastRun(
  store: Pick<StoreReader, "named">,
  { name: project }: Project,
  issue: number,
): Promise<Run | undefined> {
  const [last] = await store.named({ kind: "run", project, name: String(issue), limit: 1 });
  return last?.state.kind === "run" ? last.state : undefined;
}
