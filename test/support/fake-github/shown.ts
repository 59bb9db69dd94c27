// How GitHub writes what the fake remembers, after its REST documentation (version 2022-11-28).
import type {
  FakeCheckRun,
  FakeComment,
  FakeGithubState,
  FakeIssue,
  FakeReview,
  FakeStatus,
} from "./state.ts";

const iso = (at: number): string => new Date(at).toISOString().replace(/\.\d+Z$/, "Z");
const user = (login: string) => ({ login, id: login.length, type: "User", site_admin: false });

export const shownIssue = (issue: FakeIssue) => ({
  id: 9000 + issue.number,
  number: issue.number,
  title: issue.title,
  body: issue.body === "" ? null : issue.body,
  state: issue.state,
  state_reason: issue.state === "closed" ? "completed" : null,
  labels: issue.labels.map((name) => ({ id: name.length, name, color: "ededed", default: false })),
  user: user(issue.author),
  assignee: issue.assignees[0] === undefined ? null : user(issue.assignees[0]),
  assignees: issue.assignees.map(user),
  author_association: "COLLABORATOR",
  created_at: iso(issue.created),
  updated_at: iso(issue.updated),
  html_url: `https://github.test/team/project/issues/${issue.number}`,
  ...(issue.pr && { pull_request: { url: `https://api.test/pulls/${issue.number}` } }),
});

export const shownPr = (state: FakeGithubState, issue: FakeIssue, whole: boolean) => {
  const pr = issue.pr ?? { branch: "", base: "", head: "", fork: undefined };
  const merged = pr.mergedAt !== undefined;
  return {
    ...shownIssue({ ...issue, pr: undefined } as unknown as FakeIssue),
    draft: false,
    merged_at: pr.mergedAt === undefined ? null : iso(pr.mergedAt),
    merge_commit_sha: pr.mergedAs ?? null,
    head: {
      ref: pr.branch,
      sha: pr.head,
      label: `${pr.fork ?? "team"}:${pr.branch}`,
      repo: { id: pr.fork === undefined ? 1 : 2, full_name: `${pr.fork ?? "team"}/project` },
    },
    base: {
      ref: pr.base,
      sha: state.tip(pr.base) ?? "",
      label: `team:${pr.base}`,
      repo: { id: 1, full_name: "team/project" },
    },
    // Lists leave these out.
    ...(whole && {
      merged,
      mergeable: merged ? null : true,
      mergeable_state: mergeState(state, pr),
    }),
  };
};

function mergeState(state: FakeGithubState, pr: { head: string; base: string }): string {
  const behind = state.git("merge-base", "--is-ancestor", `refs/heads/${pr.base}`, pr.head);
  return behind === undefined ? "behind" : "clean";
}

export const shownComment = (comment: FakeComment) => ({
  id: comment.id,
  body: comment.body,
  user: user(comment.author),
  created_at: iso(comment.created),
  updated_at: iso(comment.created),
  author_association: "COLLABORATOR",
});

/** "Labeled issue event" and its like; only those about labels name one. */
export const shownEvent = ({ event, by, at, label }: FakeGithubState["events"][number]) => ({
  event,
  actor: user(by),
  commit_id: null,
  created_at: iso(at),
  ...(label !== undefined && { label: { name: label, color: "ededed" } }),
});

export const shownReview = (review: FakeReview) => ({
  id: review.id,
  user: user(review.author),
  body: review.body,
  state: review.state,
  commit_id: review.commit,
  author_association: review.association,
  submitted_at: iso(review.submitted),
});

export const shownStatus = ({ context, state, description, url }: FakeStatus) => ({
  context,
  state,
  description,
  target_url: url,
});

export const shownCheckRun = ({ id, name, status, conclusion, commit }: FakeCheckRun) => ({
  id,
  name,
  status,
  conclusion,
  head_sha: commit,
  details_url: `https://github.test/team/project/actions/runs/${id}`,
  output: { title: null, summary: null, annotations_count: 0 },
  app: { slug: "github-actions" },
});
