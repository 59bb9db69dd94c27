// How GitHub writes what the fake remembers, after its REST documentation (version 2022-11-28).
import type {
  FakeCheckRun,
  FakeComment,
  FakeGithubState,
  FakeIssue,
  FakeReview,
  FakeStatus,
} from "./state.ts";

export const iso = (at: number): string => new Date(at).toISOString().replace(/\.\d+Z$/, "Z");
const PAGES = "https://github.test/team/project";

export const user = (login: string) => ({
  login,
  id: login.length,
  type: "User",
  site_admin: false,
  html_url: `https://github.test/${login}`,
});

/** "Get the authenticated user". */
export const shownAccount = (login: string) => ({
  ...user(login),
  name: null,
  created_at: iso(0),
  updated_at: iso(0),
});

export const shownLabel = (label: { id: number; name: string; color: string }) => ({
  ...label,
  default: false,
  description: null,
});

const grey = (name: string) => shownLabel({ id: name.length, name, color: "ededed" });

/** The repository itself, or a fork of it. */
export const shownRepository = (owner = "team") => ({
  id: owner === "team" ? 1 : 2,
  name: "project",
  full_name: `${owner}/project`,
  owner: user(owner),
  private: true,
  archived: false,
  has_issues: true,
  description: null,
  default_branch: "main",
  html_url: `https://github.test/${owner}/project`,
  created_at: iso(0),
  updated_at: iso(0),
});

const shownApp = (slug: string) => ({
  id: slug.length,
  slug,
  name: slug,
  owner: user("github"),
  description: null,
  html_url: `https://github.test/apps/${slug}`,
  created_at: iso(0),
  updated_at: iso(0),
  permissions: { checks: "write" },
});

export const shownIssue = (issue: FakeIssue) => ({
  ...shownEither(issue),
  state_reason: issue.state === "closed" ? "completed" : null,
  ...(issue.pr && {
    pull_request: {
      url: `https://api.test/pulls/${issue.number}`,
      html_url: `${PAGES}/pull/${issue.number}`,
    },
  }),
});

/** What issues and PRs have both. */
const shownEither = (issue: FakeIssue) => ({
  id: 9000 + issue.number,
  number: issue.number,
  title: issue.title,
  body: issue.body === "" ? null : issue.body,
  state: issue.state,
  labels: issue.labels.map(grey),
  user: user(issue.author),
  assignee: issue.assignees[0] === undefined ? null : user(issue.assignees[0]),
  assignees: issue.assignees.map(user),
  author_association: "COLLABORATOR",
  created_at: iso(issue.created),
  updated_at: iso(issue.updated),
  html_url: `${PAGES}/issues/${issue.number}`,
});

export const shownPr = (state: FakeGithubState, issue: FakeIssue, whole: boolean) => {
  const pr = issue.pr ?? { branch: "", base: "", head: "", fork: undefined };
  const merged = pr.mergedAt !== undefined;
  return {
    ...shownEither(issue),
    draft: false,
    merged_at: pr.mergedAt === undefined ? null : iso(pr.mergedAt),
    merge_commit_sha: pr.mergedAs ?? null,
    head: {
      ref: pr.branch,
      sha: pr.head,
      label: `${pr.fork ?? "team"}:${pr.branch}`,
      user: user(pr.fork ?? "team"),
      repo: shownRepository(pr.fork),
    },
    base: {
      ref: pr.base,
      sha: state.tip(pr.base) ?? "",
      label: `team:${pr.base}`,
      user: user("team"),
      repo: shownRepository(),
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
  html_url: `${PAGES}/issues/${comment.issue}#issuecomment-${comment.id}`,
  user: user(comment.author),
  created_at: iso(comment.created),
  updated_at: iso(comment.created),
  author_association: "COLLABORATOR",
});

/** "Labeled issue event" and its like; only those about labels name one. */
export const shownEvent = ({ event, by, at, label }: FakeGithubState["events"][number]) => ({
  id: at,
  event,
  actor: user(by),
  commit_id: null,
  created_at: iso(at),
  ...(label !== undefined && { label: { name: label, color: "ededed" } }),
});

/** Comments and reviews are among the events, with other fields. */
export const shownCommented = (issue: number) => ({
  ...shownComment({ id: 1, issue, body: "", author: "ann", created: 0 }),
  event: "commented",
  actor: user("ann"),
});

export const shownReview = (review: FakeReview) => ({
  id: review.id,
  user: user(review.author),
  body: review.body,
  state: review.state,
  commit_id: review.commit,
  author_association: review.association,
  html_url: `${PAGES}/pull/${review.pr}#pullrequestreview-${review.id}`,
  submitted_at: iso(review.submitted),
});

export const shownStatus = ({ context, state, description, url }: FakeStatus) => ({
  id: context.length,
  context,
  state,
  description,
  target_url: url,
  created_at: iso(0),
  updated_at: iso(0),
});

export const shownCheckRun = ({ id, name, status, conclusion, commit }: FakeCheckRun) => ({
  id,
  name,
  status,
  conclusion,
  head_sha: commit,
  html_url: `${PAGES}/runs/${id}`,
  details_url: `${PAGES}/actions/runs/${id}`,
  output: { title: null, summary: null, text: null, annotations_count: 0 },
  app: shownApp("github-actions"),
});

export const shownSuite = (suite: FakeGithubState["suites"][number]) => ({
  id: suite.app.length,
  status: suite.status,
  conclusion: suite.status === "completed" ? "success" : null,
  head_sha: suite.commit,
  latest_check_runs_count: suite.runs,
  app: shownApp(suite.app),
  created_at: iso(0),
  updated_at: iso(0),
});

export const shownCommit = (sha: string) => ({ sha, html_url: `${PAGES}/commit/${sha}` });
