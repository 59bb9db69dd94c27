// The forge of projects that have none: issues, PRs and reviews in Pawl's own journal. Every call
// that changes something is one transaction; it must never be made from inside another one. Reads
// take committed records and never wait. One transaction has no inside: the crash points around the
// port are all there are.
import type { ProjectName } from "../../core/ids.ts";
import type { Forge } from "../../ports/forge.ts";
import type { RecordWriter, Store } from "../../ports/store.ts";
import { collectionsOf } from "./collections.ts";
import { addComment, addReview, dismissReview, listComments, listReviews } from "./discussion.ts";
import {
  claimIssue,
  claimOn,
  createIssue,
  editIssue,
  findIssue,
  listEdits,
  listIssues,
  pageIssues,
  revisionOf,
} from "./issues.ts";
import { ensurePr, findPr, finishPr, listPrs } from "./prs.ts";
import { listStatuses, putStatus } from "./statuses.ts";

type Options = { store: Store; project: ProjectName; now: () => number };

export function createBuiltinForge(options: Options): Forge {
  return {
    ...createReads(options),
    ...createIssueWrites(options),
    ...createPrWrites(options),
    ...createReviewWrites(options),
  };
}

function createReads({ store, project }: Options) {
  const on = collectionsOf(project);
  return {
    issues: ({ state }) => listIssues(store.records, on, state),
    issuePage: (query) => pageIssues(store.records, on, query),
    revision: () => revisionOf(store.records, on),
    issue: (number) => findIssue(store.records, on, number),
    edits: (number) => listEdits(store.records, on, number),
    comments: (number) => listComments(store.records, on, number),
    claimOf: (number) => claimOn(store.records, on, number),
    prs: ({ state }) => listPrs(store.records, on, state),
    pr: (number) => findPr(store.records, on, number),
    prsOf: async (issue) =>
      (await listPrs(store.records, on, "all"))
        .filter((pr) => pr.issue === issue)
        .map((pr) => ({ ...pr, own: true })),
    reviews: (pr) => listReviews(store.records, on, pr),
    statuses: (commit) => listStatuses(store.records, on, commit),
    // The builtin forge has no accounts: people on this machine are believed by name.
    account: async () => undefined,
  } satisfies Partial<Forge>;
}

function createIssueWrites({ store, project, now }: Options) {
  const on = collectionsOf(project);
  const write = writerOf(store);
  return {
    createIssue: (input) => write((records) => createIssue(records, on, { ...input, at: now() })),
    editIssue: (number, change) =>
      write((records) => editIssue(records, on, { number, change, at: now() })),
    comment: (input) => write((records) => addComment(records, on, { ...input, at: now() })),
    claim: (number, key) => write((records) => claimIssue(records, on, { number, key, at: now() })),
  } satisfies Partial<Forge>;
}

function createPrWrites({ store, project, now }: Options) {
  const on = collectionsOf(project);
  const write = writerOf(store);
  return {
    ensurePr: (input) => write((records) => ensurePr(records, on, { ...input, at: now() })),
    finishPr: (number, end) =>
      write((records) => finishPr(records, on, { number, end, at: now() })),
  } satisfies Partial<Forge>;
}

function createReviewWrites({ store, project, now }: Options) {
  const on = collectionsOf(project);
  const write = writerOf(store);
  return {
    review: (input) => write((records) => addReview(records, on, { ...input, at: now() })),
    dismissReview: (input) => write((records) => dismissReview(records, on, input)),
    setStatus: (commit, status) => write((records) => putStatus(records, on, { commit, status })),
  } satisfies Partial<Forge>;
}

const writerOf =
  (store: Store) =>
  <T>(work: (records: RecordWriter) => Promise<T>): Promise<T> =>
    store.transaction((tx) => work(tx.records));
