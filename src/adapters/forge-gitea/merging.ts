// Gitea's own merge, for a target that refuses Pawl's push. Only in ways that cannot put on the
// target what was not tested: "fast-forward-only" puts exactly the PR's head there or nothing; the
// other styles only where the rule blocks PRs that are behind, which administrators alone can see.
import { commitId } from "../../core/ids.ts";
import type { MergeStrategy } from "../../core/merge-queue/entry.ts";
import type { Forge, MergeOutcome } from "../../ports/forge.ts";
import type { Connection } from "../shared/forge/connection.ts";
import { existingPr, followed } from "../shared/forge/prs.ts";
import { anything, type RawPr } from "../shared/forge/shapes.ts";
import * as shape from "./shapes.ts";

type Input = Parameters<NonNullable<Forge["mergePr"]>>[0];
type Style = { kind: "allowed"; style: string } | { kind: "refused"; why: string; hint: string };

const FAST_FORWARD = "fast-forward-only";
/** 500: the target moved under a fast-forward (seen with 1.26); what became of it is looked at. */
const ANSWERS = [404, 405, 409, 500];

/** After a push Gitea checks the PR again (also whether it is behind), and says so meanwhile. */
const SETTLING = /try again later|checking|behind the base/i;

/** Which of Gitea's styles will do. */
export async function mergeStyle(
  connection: Connection,
  target: string,
  strategy: MergeStrategy,
): Promise<Style> {
  const [repo, branch] = await Promise.all([
    connection.read.get({
      what: "read the repository",
      path: connection.at(""),
      schema: shape.repo,
    }),
    connection.read.get({
      what: `read the branch ${target}`,
      path: connection.at(`/branches/${encodeURIComponent(target)}`),
      schema: shape.branch,
    }),
  ]);
  if (branch.user_can_merge === false) {
    const me = await connection.login("dev");
    return {
      kind: "refused",
      why: `${me} may not merge into ${target} either`,
      hint: `in the rule of ${target}, add ${me} to the "Push" or to the "Merge" allow-list`,
    };
  }
  if (repo.allow_fast_forward_only_merge === true) return { kind: "allowed", style: FAST_FORWARD };
  const allowed = {
    merge: "allow_merge_commits",
    rebase: "allow_rebase",
    squash: "allow_squash_merge",
  } as const;
  const isSafe = await blocksOutdated(connection, branch.effective_branch_protection_name);
  if (isSafe && repo[allowed[strategy]] !== false) return { kind: "allowed", style: strategy };
  return {
    kind: "refused",
    why: "and the repository allows no merge style that lands exactly the tested commit",
    hint: `let Pawl's account push to ${target}, or switch on "Fast-forward only" in the settings of the repository, under "Pull Requests"`,
  };
}

async function blocksOutdated(
  connection: Connection,
  rule: string | null | undefined,
): Promise<boolean> {
  if (rule === undefined || rule === null || rule === "") return false;
  const answer = await connection.read.ask({
    what: `read the rule ${rule}`,
    path: connection.at(`/branch_protections/${encodeURIComponent(rule)}`),
    schema: shape.protection,
    accept: [403, 404],
  });
  return answer.kind === "ok" && answer.body.block_on_outdated_branch === true;
}

/** Gitea 1.26 renamed these; Forgejo and older ones know the names that begin with capitals only. */
export const mergeBody = (style: string, commit?: string) => ({
  do: style,
  Do: style,
  ...(commit !== undefined && { merge_commit_id: commit, MergeCommitID: commit }),
});

export async function mergePr(connection: Connection, input: Input): Promise<MergeOutcome> {
  const { pr: number, head } = input;
  const pr = await existingPr(connection, number);
  if (pr.merged) return mergedAt(pr, head);
  if (pr.state === "closed") return closed(number);
  const chosen = await mergeStyle(connection, pr.base.ref, input.strategy);
  if (chosen.kind === "refused") return chosen;
  await followed(connection, pr, head);
  const { follow } = connection.dialect;
  let why = "";
  for (let attempt = 0; attempt < follow.attempts; attempt += 1) {
    const told = await connection.change({
      what: `merge PR #${number}`,
      method: "POST",
      path: connection.at(`/pulls/${number}/merge`),
      body: {
        ...mergeBody(chosen.style),
        head_commit_id: head,
        delete_branch_after_merge: false,
      },
      schema: anything,
      accept: ANSWERS,
    });
    const after = await existingPr(connection, number);
    if (after.merged) return mergedAt(after, head);
    why = told.kind === "ok" ? "the forge accepted the merge, but the PR is not merged" : told.said;
    if (told.kind === "ok" || !SETTLING.test(why)) break;
    await connection.wait(follow.waitMs);
  }
  return refusal(number, why);
}

function mergedAt(pr: RawPr, head: string): MergeOutcome {
  if (pr.head.sha === head && pr.merge_commit_sha) {
    return { kind: "merged", commit: commitId(pr.merge_commit_sha) };
  }
  const why = `PR #${pr.number} was merged at another commit`;
  return { kind: "refused", why, hint: "you need not do anything: the queue tries again" };
}

const closed = (number: number): MergeOutcome => ({
  kind: "refused",
  why: `PR #${number} is closed`,
  hint: `open PR #${number} again on the forge, then run \`pawl merge-queue resume\``,
});

/** A reason that goes away with time is waited for; every other one needs a person. */
function refusal(number: number, why: string): MergeOutcome {
  const passes = /try again later|still checking|status checks|out of date|behind|diverging|^$/i;
  if (passes.test(why))
    return { kind: "waiting", why: `the forge does not merge PR #${number} yet: ${why}` };
  return {
    kind: "refused",
    why,
    hint: `give PR #${number} what the rule of its target asks for (reviews, allow-lists), then run \`pawl merge-queue resume\``,
  };
}
