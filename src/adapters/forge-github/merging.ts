// GitHub's own merge, for a target that refuses Pawl's push. It is used only where a rule requires
// branches to be up to date before merging ("strict" status checks). Without that rule GitHub would
// merge onto a target that moved meanwhile: an untested combination.
import { commitId } from "../../core/ids.ts";
import type { MergeStrategy } from "../../core/merge-queue/entry.ts";
import type { Forge, MergeOutcome } from "../../ports/forge.ts";
import type { Connection } from "../shared/forge/connection.ts";
import { existingPr, followed } from "../shared/forge/prs.ts";
import type { RawPr } from "../shared/forge/shapes.ts";
import * as shape from "./shapes.ts";

type May = Awaited<ReturnType<NonNullable<Forge["mayMerge"]>>>;
type Input = Parameters<NonNullable<Forge["mergePr"]>>[0];

export async function mayMerge(
  connection: Connection,
  target: string,
  strategy: MergeStrategy,
): Promise<May> {
  const name = encodeURIComponent(target);
  const ruled = await connection.read.ask({
    what: `read the rules of ${target}`,
    path: connection.at(`/rules/branches/${name}`),
    schema: shape.rules,
    accept: [404],
  });
  const rules = ruled.kind === "ok" ? ruled.body : [];
  if (rules.some(({ type }) => type === "merge_queue")) {
    const why = `and only GitHub's own merge queue may merge into ${target}`;
    return {
      kind: "refused",
      why,
      hint: `${bypass(target)}: two merge queues cannot work on one branch`,
    };
  }
  const isStrict =
    rules.some(({ parameters }) => parameters?.strict_required_status_checks_policy === true) ||
    (await isStrictByProtection(connection, target));
  if (!isStrict) {
    return {
      kind: "refused",
      why: `and GitHub may merge branches into ${target} that are not up to date`,
      hint: `${bypass(target)}, or require branches to be up to date before merging (in a ruleset, which Pawl's account can read)`,
    };
  }
  return isAllowed(connection, strategy);
}

const bypass = (target: string): string =>
  `let Pawl's account push to ${target} (the bypass list of its rules)`;

/** Reading this needs the permission Administration. Without it the answer is no. */
async function isStrictByProtection(connection: Connection, target: string): Promise<boolean> {
  const name = encodeURIComponent(target);
  const answer = await connection.read.ask({
    what: `read the protection of ${target}`,
    path: connection.at(`/branches/${name}/protection/required_status_checks`),
    schema: shape.requiredChecks,
    accept: [403, 404],
  });
  return answer.kind === "ok" && answer.body.strict === true;
}

async function isAllowed(connection: Connection, strategy: MergeStrategy): Promise<May> {
  const what = "read the repository";
  const repo = await connection.read.get({ what, path: connection.at(""), schema: shape.repo });
  const ways = {
    merge: repo.allow_merge_commit,
    rebase: repo.allow_rebase_merge,
    squash: repo.allow_squash_merge,
  };
  if (ways[strategy] !== false) return { kind: "allowed" };
  const others = (["merge", "rebase", "squash"] as const).filter((way) => ways[way] === true);
  return {
    kind: "refused",
    why: `and the repository does not allow the merge method "${strategy}"`,
    hint: `set [merge] strategy to ${others.map((way) => `"${way}"`).join(" or ")}, or allow it in the settings of the repository`,
  };
}

export async function mergePr(connection: Connection, input: Input): Promise<MergeOutcome> {
  const { pr: number, head, strategy } = input;
  const pr = await existingPr(connection, number);
  const merged = mergedAt(pr, head);
  if (merged !== undefined) return merged;
  if (pr.state === "closed") {
    const hint = `look at PR #${number} on GitHub, then run \`pawl merge-queue resume\``;
    return { kind: "refused", why: `PR #${number} is closed already`, hint };
  }
  await followed(connection, pr, head);
  const answer = await connection.change({
    what: `merge PR #${number}`,
    method: "PUT",
    path: connection.at(`/pulls/${number}/merge`),
    body: { sha: head, merge_method: strategy },
    schema: shape.merged,
    accept: [405, 409, 422],
  });
  if (answer.kind === "ok") return { kind: "merged", commit: commitId(answer.body.sha) };
  // The answer to an earlier request may have been lost, and GitHub refuses to merge twice.
  return mergedAt(await existingPr(connection, number), head) ?? refusal(number, answer);
}

function mergedAt(pr: RawPr, head: string): MergeOutcome | undefined {
  if (!pr.merged || pr.head.sha !== head || !pr.merge_commit_sha) return undefined;
  return { kind: "merged", commit: commitId(pr.merge_commit_sha) };
}

/** 409: its head is not what was meant. Checks that have not come, and a busy base, pass with time. */
function refusal(number: number, { status, said }: { status: number; said: string }): MergeOutcome {
  const passes = /expected|pending|in progress|try the merge again|is being|out of date|behind/i;
  if (status === 409 || passes.test(said)) {
    return { kind: "waiting", why: `GitHub does not merge PR #${number} yet: ${said}` };
  }
  return {
    kind: "refused",
    why: said,
    hint: `give PR #${number} what the rules of its target ask for, then run \`pawl merge-queue resume\``,
  };
}
