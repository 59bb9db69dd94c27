// What the fake Gitea answers with, in the shapes of the real one (modules/structs of its source).
import type { FakeComment, FakeIssue, FakeReview, FakeState, FakeStatus } from "./state.ts";

/** Gitea's times have seconds. */
const time = (ms: number): string => new Date(Math.floor(ms / 1000) * 1000).toISOString();
const user = (login: string) => ({ login });

export const shownIssue = (issue: FakeIssue) => ({
  ...shownEither(issue),
  pull_request: issue.pr === undefined ? null : { merged: issue.pr.merged },
});

/** What issues and PRs have both. */
const shownEither = (issue: FakeIssue) => ({
  number: issue.number,
  title: issue.title,
  body: issue.body,
  state: issue.state,
  labels: issue.labels,
  user: user(issue.author),
  assignees: issue.assignees.length === 0 ? null : issue.assignees.map(user),
  created_at: time(issue.created),
  updated_at: time(issue.updated),
  html_url: `http://fake/issues/${issue.number}`,
});

export const shownPr = (state: FakeState, issue: FakeIssue) => {
  const { pr } = issue;
  if (pr === undefined) throw new Error(`#${issue.number} is no PR`);
  const sha = pr.merged ? (pr.head ?? "") : (state.tipOf(pr) ?? pr.head ?? "");
  return {
    ...shownEither(issue),
    merged: pr.merged,
    merge_commit_sha: pr.mergedAs ?? null,
    head: { ref: pr.branch, sha, repo: { id: pr.fork === undefined ? 1 : 2 } },
    base: { ref: pr.base, sha: state.tip(pr.base) ?? "", repo: { id: 1 } },
  };
};

export const shownComment = (comment: FakeComment) => ({
  id: comment.id,
  body: comment.body,
  user: user(comment.author),
  created_at: time(comment.created),
});

export const shownChange = ({ type, by, at, label, body }: FakeState["changes"][number]) => ({
  type,
  user: user(by),
  body,
  label: label ?? null,
  created_at: time(at),
});

export const shownReview = (review: FakeReview) => ({
  id: review.id,
  user: user(review.author),
  state: review.state,
  body: review.body,
  commit_id: review.commit,
  official: review.official,
  dismissed: review.dismissed,
  submitted_at: time(review.created),
});

export const shownStatus = (status: FakeStatus) => ({
  id: status.id,
  status: status.state,
  context: status.context,
  description: status.description,
  target_url: status.url,
});
