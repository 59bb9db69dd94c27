// Where the built-in tracker keeps its records in the journal, and how it numbers them. Everything
// here works inside the caller's transaction, so that an object and the key it was made under are
// one write.
import type { ProjectName } from "../../core/ids.ts";
import { OperationError } from "../../lib/operation-error.ts";
import type { RecordReader, RecordWriter } from "../../ports/store.ts";

export type Collections = {
  project: ProjectName;
  /** All issues and all PRs, by number. */
  issues: string;
  prs: string;
  /** Numbers of open issues, so that a poll does not read years of closed ones. */
  openIssues: string;
  /** The number of the open PR of a branch, by branch. */
  openPrs: string;
  /** What was made under a key: `issue {key}` or `pr {key}` → its number. */
  keys: string;
  counter: string;
  /** What an issue said before each edit, by ordinal. */
  edits(number: number): string;
  comments(number: number): string;
  reviews(pr: number): string;
  /** What is said of a commit, by context. */
  statuses(commit: string): string;
};

export function collectionsOf(project: ProjectName): Collections {
  const root = `forge/${project}`;
  return {
    project,
    issues: `${root}/issues`,
    prs: `${root}/prs`,
    openIssues: `${root}/open-issues`,
    openPrs: `${root}/open-prs`,
    keys: `${root}/keys`,
    counter: `${root}/counter`,
    edits: (number) => `${root}/edits/${number}`,
    comments: (number) => `${root}/comments/${number}`,
    reviews: (pr) => `${root}/reviews/${pr}`,
    statuses: (commit) => `${root}/statuses/${commit}`,
  };
}

/** The next number; issues and PRs share one row of them. */
export async function takeNumber(records: RecordWriter, on: Collections): Promise<number> {
  const last = await records.get<number>(on.counter, "last");
  const next = (last?.value ?? 0) + 1;
  await records.put(on.counter, "last", next);
  return next;
}

export async function existing<T>(
  records: RecordReader,
  place: { collection: string; number: number; what: string },
): Promise<T> {
  const found = await records.get<T>(place.collection, String(place.number));
  if (found === undefined) throw notFound(place.what, place.number);
  return found.value;
}

export function notFound(what: string, number: number | string): OperationError {
  return new OperationError(`cannot find ${what} #${number} in the built-in tracker`, {
    code: "not-found",
    hint: "`pawl issue list` and `pawl pr list` show the existing numbers",
  });
}
