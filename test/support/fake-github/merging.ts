// How the fake GitHub merges a PR, after "Merge a pull request" of its REST documentation (200 with
// sha, merged and message; 405 where it cannot be merged; 409 where `sha` is not the head), and what
// it shows of the rules behind that ("Get rules for a branch", "Get status checks protection").
import type { Asked, Reply } from "./routes.ts";
import { shownRepository } from "./shown.ts";
import type { FakeGithubState, FakeIssue } from "./state.ts";

const refuse = (status: number, message: string): Reply => ({
  status,
  body: { message, documentation_url: "https://docs.github.test/rest" },
});

export function mergePr(state: FakeGithubState, { body }: Asked, issue: FakeIssue): Reply {
  const { pr } = issue;
  if (pr === undefined || pr.mergedAt !== undefined || issue.state === "closed") {
    return refuse(405, "Pull Request is not mergeable");
  }
  if (body["sha"] !== undefined && body["sha"] !== pr.head) {
    return refuse(409, "Head branch was modified. Review and try the merge again.");
  }
  const old = state.tip(pr.base) ?? "";
  const isBehind = state.git("merge-base", "--is-ancestor", old, pr.head) === undefined;
  if (state.isStrict && isBehind) return refuse(405, "Head branch is out of date.");
  const missing = state.required().find((name) => !isGreen(state, pr.head, name));
  if (missing !== undefined) return refuse(405, `Required status check "${missing}" is expected.`);
  if (state.approvals > 0) {
    return refuse(405, "At least 1 approving review is required by reviewers with write access.");
  }
  const tree = state.git("merge-tree", "--write-tree", old, pr.head);
  if (tree === undefined) return refuse(405, "Pull Request is not mergeable");
  const parents = body["merge_method"] === "merge" ? ["-p", old, "-p", pr.head] : ["-p", old];
  const sha = state.commitTree(tree, parents, issue.title);
  state.git("update-ref", `refs/heads/${pr.base}`, sha, old);
  state.merge(issue, sha);
  return { status: 200, body: { sha, merged: true, message: "Pull Request successfully merged" } };
}

const isGreen = (state: FakeGithubState, commit: string, name: string): boolean =>
  state.statuses.some(
    (one) => one.commit === commit && one.context === name && one.state === "success",
  ) ||
  state.checkRuns.some(
    (run) => run.commit === commit && run.name === name && run.conclusion === "success",
  );

/** "Get a repository", as far as it says what may be merged how; who may not push is not told. */
export const shownRepo = (state: FakeGithubState) => ({
  ...shownRepository(),
  permissions: {
    admin: state.isAdmin,
    maintain: false,
    push: state.mayPush,
    triage: true,
    pull: true,
  },
  ...(state.mayPush && {
    allow_merge_commit: true,
    allow_squash_merge: true,
    allow_rebase_merge: false,
  }),
});

/** "Get status checks protection" needs Administration (read). */
export function requiredChecks(state: FakeGithubState): Reply {
  if (!state.isAdmin) return refuse(403, "Resource not accessible by personal access token");
  if (state.protection.length === 0) return refuse(404, "Branch not protected");
  return { status: 200, body: { strict: state.isStrict, contexts: state.protection, checks: [] } };
}
