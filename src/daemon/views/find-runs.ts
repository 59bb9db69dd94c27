// Runs, as views and checks ask for them: those that are alive, one by what a person calls it, or
// those that ended last. None of these reads all that ever were.
import type { ProjectName } from "../../core/ids.ts";
import { issueOf, refOf, type Run } from "../../core/run/run.ts";
import type { HistoryQuery, StoredAggregate, StoreReader } from "../../ports/store.ts";

type Reader = Pick<StoreReader, "aggregates" | "history" | "named" | "load">;

const runsIn = (stored: readonly StoredAggregate[]): Run[] =>
  stored.flatMap(({ state }) => (state.kind === "run" ? [state] : []));

/** Those that are not over. */
export const livingRuns = async (
  store: Pick<Reader, "aggregates">,
  project?: ProjectName,
): Promise<Run[]> =>
  runsIn(await store.aggregates({ kind: "run", ...(project === undefined ? {} : { project }) }));

/** Those that are over, the last end first. */
export async function endedRuns(
  store: Pick<Reader, "history" | "load">,
  query: Omit<HistoryQuery, "kind">,
): Promise<Run[]> {
  const rows = await store.history({ ...query, kind: "run" });
  const stored = await Promise.all(rows.map(({ id }) => store.load(id)));
  return runsIn(stored.flatMap((one) => one ?? []));
}

/** An earlier attempt has ended before a later one: the last few hold the newest. */
const ATTEMPTS = 5;

/** By issue number, PR number, run id, identity or branch; of several attempts the newest. */
export async function runNamed(
  store: Pick<Reader, "aggregates" | "named" | "load">,
  project: ProjectName,
  ref: string,
): Promise<Run | undefined> {
  const name = ref.replace(/^#/, "");
  const alive = (await livingRuns(store, project)).filter((run) => namesOf(run).includes(name));
  const query = { kind: "run", project, name, limit: ATTEMPTS } as const;
  const byId = await store.load(`run:${project}/${name}`);
  const over = runsIn([...(await store.named(query)), ...(byId === undefined ? [] : [byId])]);
  return [...over, ...alive].toSorted((a, b) => a.attempt - b.attempt).at(-1);
}

/** Of the runs of an issue that are over and had an agent, the newest: one that lost its claim had none. */
export async function lastWorked(
  store: Pick<Reader, "named">,
  project: ProjectName,
  issue: number,
): Promise<Run | undefined> {
  const query = { kind: "run", project, name: String(issue), limit: ATTEMPTS } as const;
  return runsIn(await store.named(query))
    .filter((run) => issueOf(run) === issue && run.session !== undefined)
    .toSorted((a, b) => a.attempt - b.attempt)
    .at(-1);
}

/** Issues and PRs share one row of numbers, so that none of these can mean two things. */
const namesOf = (run: Run): string[] => [
  run.id,
  run.identity,
  run.branch,
  refOf(run),
  ...(run.pr === undefined ? [] : [String(run.pr)]),
];
