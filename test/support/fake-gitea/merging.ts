// How the fake Gitea merges a PR (services/pull/merge.go and routers/api/v1/repo/pull.go of 1.26): what
// it checks, in which order, and what it answers.
import type { Call, Reply } from "./routes.ts";
import type { FakeIssue, FakeState } from "./state.ts";

const refuse = (status: number, message: string): Reply => ({ status, body: { message } });

export function mergePr(state: FakeState, { body }: Call, issue: FakeIssue): Reply {
  const { pr } = issue;
  if (pr === undefined) return refuse(404, "pull request does not exist");
  if (pr.merged) return refuse(405, "The PR is already merged");
  if (issue.state === "closed") return refuse(404, "not found");
  if (body.do === "manually-merged") return recordMerge(state, issue, body.merge_commit_id);
  if (!state.rule.merge) return refuse(405, "User not allowed to merge PR");
  const head = state.tipOf(pr) ?? "";
  // After a push the PR is checked again, and that takes a moment.
  if (pr.checked !== head) {
    pr.checked = head;
    return refuse(405, "Please try again later");
  }
  const green = state.statuses.filter(
    ({ commit, state: is }) => commit === head && is === "success",
  );
  if (!state.required.every((name) => green.some(({ context }) => context === name))) {
    return refuse(405, "Not all required status checks successful");
  }
  const isBehind =
    state.git("merge-base", "--is-ancestor", state.tip(pr.base) ?? "", head) === undefined;
  if (state.rule.blockOutdated && isBehind) {
    return refuse(405, "The head branch is behind the base branch");
  }
  if (!state.styles.has(body.do)) {
    return refuse(405, `${body.do} is not allowed an allowed merge style for this repository`);
  }
  if (body.head_commit_id !== undefined && body.head_commit_id !== head) {
    return refuse(409, "head out of date");
  }
  return merge(state, issue, { head, style: body.do, isBehind });
}

function recordMerge(state: FakeState, issue: FakeIssue, commit: string): Reply {
  if (!state.manualMerge) return refuse(405, "not allowed");
  const on = ["merge-base", "--is-ancestor", commit, `refs/heads/${issue.pr?.base}`];
  if (state.git(...on) === undefined) return refuse(409, "Wrong commit ID");
  state.merge(issue, commit);
  return { status: 200 };
}

/** Without hooks: a protection keeps pushes away, not the forge itself. */
function merge(
  state: FakeState,
  issue: FakeIssue,
  { head, style, isBehind }: { head: string; style: string; isBehind: boolean },
): Reply {
  const base = issue.pr?.base ?? "";
  const old = state.tip(base) ?? "";
  if (style === "fast-forward-only" && isBehind)
    return refuse(500, "Merge DivergingFastForwardOnly");
  const tree = state.git("merge-tree", "--write-tree", old, head);
  if (tree === undefined) return refuse(409, "merge conflict");
  const parents = style === "merge" ? ["-p", old, "-p", head] : ["-p", old];
  const made = style === "fast-forward-only" ? head : state.commitTree(tree, parents, issue.title);
  state.git("update-ref", `refs/heads/${base}`, made, old);
  state.merge(issue, made);
  return { status: 200 };
}
