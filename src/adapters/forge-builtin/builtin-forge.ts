// The forge of projects that have none: issues, PRs and reviews in Pawl's own journal. Every call
// that changes something is one transaction; it must never be made from inside another one. Reads
// take committed records and never wait.
import type { ProjectName } from "../../core/ids.ts";
import type { CrashPoint } from "../../lib/crash-point.ts";
import type { Forge } from "../../ports/forge.ts";
import type { RecordWriter, Store } from "../../ports/store.ts";
import { collectionsOf } from "./collections.ts";
import { addComment, addReview, dismissReview, listComments, listReviews } from "./discussion.ts";
import { claimIssue, createIssue, editIssue, findIssue, listIssues } from "./issues.ts";
import { ensurePr, findPr, finishPr, listPrs } from "./prs.ts";
import { listStatuses, putStatus } from "./statuses.ts";

type Options = { store: Store; project: ProjectName; now: () => number; crash: CrashPoint };

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
    issue: (number) => findIssue(store.records, on, number),
    comments: (number) => listComments(store.records, on, number),
    prs: ({ state }) => listPrs(store.records, on, state),
    pr: (number) => findPr(store.records, on, number),
    reviews: (pr) => listReviews(store.records, on, pr),
    statuses: (commit) => listStatuses(store.records, on, commit),
    // Everybody on this machine is whoever they say they are.
    account: async () => undefined,
  } satisfies Partial<Forge>;
}

function createIssueWrites({ store, project, now, crash }: Options) {
  const on = collectionsOf(project);
  const write = <T>(work: (records: RecordWriter) => Promise<T>): Promise<T> =>
    store.transaction((tx) => work(tx.records));
  return {
    async createIssue(input) {
      await crash("forge.create-issue.before");
      const issue = await write((records) => createIssue(records, on, { ...input, at: now() }));
      await crash("forge.create-issue.after");
      return issue;
    },
    async editIssue(number, change) {
      await crash("forge.edit-issue.before");
      const edit = { number, change, at: now() };
      const issue = await write((records) => editIssue(records, on, edit));
      await crash("forge.edit-issue.after");
      return issue;
    },
    async comment(input) {
      await crash("forge.comment.before");
      const comment = await write((records) => addComment(records, on, { ...input, at: now() }));
      await crash("forge.comment.after");
      return comment;
    },
    async claim(number, key) {
      await crash("forge.claim.before");
      const outcome = await write((records) => claimIssue(records, on, { number, key, at: now() }));
      await crash("forge.claim.after");
      return outcome;
    },
  } satisfies Partial<Forge>;
}

function createPrWrites({ store, project, now, crash }: Options) {
  const on = collectionsOf(project);
  const write = <T>(work: (records: RecordWriter) => Promise<T>): Promise<T> =>
    store.transaction((tx) => work(tx.records));
  return {
    async ensurePr(input) {
      await crash("forge.ensure-pr.before");
      const pr = await write((records) => ensurePr(records, on, { ...input, at: now() }));
      await crash("forge.ensure-pr.after");
      return pr;
    },
    async finishPr(number, end) {
      await crash("forge.finish-pr.before");
      await write((records) => finishPr(records, on, { number, end, at: now() }));
      await crash("forge.finish-pr.after");
    },
  } satisfies Partial<Forge>;
}

function createReviewWrites({ store, project, now, crash }: Options) {
  const on = collectionsOf(project);
  const write = <T>(work: (records: RecordWriter) => Promise<T>): Promise<T> =>
    store.transaction((tx) => work(tx.records));
  return {
    async review(input) {
      await crash("forge.review.before");
      const review = await write((records) => addReview(records, on, { ...input, at: now() }));
      await crash("forge.review.after");
      return review;
    },
    async dismissReview(input) {
      await write((records) => dismissReview(records, on, input));
    },
    async setStatus(commit, status) {
      await write((records) => putStatus(records, on, { commit, status }));
    },
  } satisfies Partial<Forge>;
}
