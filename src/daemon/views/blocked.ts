// Issues that Pawl gave up on: a person decides whether they are tried again. An issue that a
// person labelled `blocked` without a run waits on purpose, so it is not listed.
import type { WaitView } from "../../api/runs.ts";
import type { ProjectName } from "../../core/ids.ts";
import type { BacklogDigest } from "../../core/project/digest.ts";
import type { Run } from "../../core/run/run.ts";
import type { StoreReader } from "../../ports/store.ts";

/** More of them are a count. */
const SHOWN_MAX = 10;

export async function blockedWaits(
  store: Pick<StoreReader, "named">,
  project: ProjectName,
  { blockedFirst }: Pick<BacklogDigest, "blockedFirst">,
): Promise<WaitView[]> {
  const waits: WaitView[] = [];
  let left = 0;
  // Each costs a question to the history.
  for (const { number, title } of blockedFirst) {
    const last = await lastRun(store, project, number);
    if (last?.outcome?.kind !== "blocked") continue;
    const why = `blocked: ${last.outcome.reason}`;
    const about = `#${number} ${title}`;
    const act = { kind: "retry", ref: String(number) } as const;
    const wait = { about, why, needs_you: true, command: retry(number), act };
    if (waits.length < SHOWN_MAX) waits.push({ project, ...wait });
    else left += 1;
  }
  if (left === 0) return waits;
  const why = `${left} more issues are blocked`;
  const command = "pawl issue list --label blocked";
  return [...waits, { project, about: "backlog", why, needs_you: true, command }];
}

const retry = (issue: number): string => `pawl retry ${issue}`;

async function lastRun(
  store: Pick<StoreReader, "named">,
  project: ProjectName,
  issue: number,
): Promise<Run | undefined> {
  const [last] = await store.named({ kind: "run", project, name: String(issue), limit: 1 });
  return last?.state.kind === "run" ? last.state : undefined;
}
