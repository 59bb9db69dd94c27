// Pull requests on GitHub: one open PR per branch, and its end. GitHub sees by itself that a PR's
// head has come onto its target, so that a landing by push (strategy "merge") ends as merged; of a
// rebased or squashed one it cannot know, and people are told in words.
import * as z from "zod";
import { commitId, type Commit } from "../../core/ids.ts";
import { OperationError } from "../../lib/operation-error.ts";
import type { Forge, Pr } from "../../ports/forge.ts";
import { issueIn, issueMark, withMarks, withoutMarks } from "../shared/forge-marks.ts";
import { oneLine } from "../shared/one-line.ts";
import { addComment } from "./comments.ts";
import type { Connection } from "./connection.ts";
import { byNumber } from "./issues.ts";
import { notFound } from "./raw-issue.ts";
import * as shape from "./shapes.ts";

/** GitHub follows a push after it has answered it. */
const FOLLOW_ATTEMPTS = 15;
const FOLLOW_WAIT_MS = 1000;
/** Just pushed, a branch may not be known yet: GitHub refuses its PR for a moment. */
const OPEN_ATTEMPTS = 4;

type Input = Parameters<Forge["ensurePr"]>[0];

export async function listPrs(connection: Connection, state: "open" | "all"): Promise<Pr[]> {
  const query = { state, sort: "created", direction: "asc", per_page: 100 };
  return byNumber((await rawPrs(connection, query)).map(shownPr));
}

const rawPrs = (
  connection: Connection,
  query: Record<string, string | number>,
): Promise<shape.RawPr[]> =>
  connection.read.list({
    what: "read the PRs",
    path: connection.at("/pulls"),
    query,
    schema: z.array(shape.pr),
  });

export async function findPr(connection: Connection, number: number): Promise<Pr | undefined> {
  const raw = await rawPr(connection, number);
  return raw && shownPr(raw);
}

async function rawPr(connection: Connection, number: number): Promise<shape.RawPr | undefined> {
  const answer = await connection.read.ask({
    what: `read PR #${number}`,
    path: connection.at(`/pulls/${number}`),
    schema: shape.pr,
    accept: [404],
  });
  return answer.kind === "ok" ? answer.body : undefined;
}

export async function existingPr(connection: Connection, number: number): Promise<shape.RawPr> {
  const raw = await rawPr(connection, number);
  if (raw === undefined) throw notFound(`PR #${number}`);
  return raw;
}

export const ensurePr = (connection: Connection, input: Input): Promise<Pr> =>
  connection.serial(`pr ${input.branch}`, async () => {
    const open = (await openPrOf(connection, input)) ?? (await makePr(connection, input));
    return shownPr(await followed(connection, open, input.head));
  });

async function openPrOf(
  connection: Connection,
  { branch, target }: Input,
): Promise<shape.RawPr | undefined> {
  const query = { state: "open", head: `${connection.owner}:${branch}`, base: target };
  return (await rawPrs(connection, query)).find((raw) => raw.head.ref === branch);
}

async function makePr(connection: Connection, input: Input): Promise<shape.RawPr> {
  const { branch, target, issue } = input;
  const marks = issue === undefined ? [] : [issueMark(issue)];
  const body = {
    title: oneLine(input.title),
    body: withMarks(input.body, ...marks),
    head: branch,
    base: target,
  };
  let said = "";
  for (let attempt = 0; attempt < OPEN_ATTEMPTS; attempt += 1) {
    const answer = await connection.change({
      what: `open a PR for ${branch}`,
      method: "POST",
      path: connection.at("/pulls"),
      body,
      schema: shape.pr,
      accept: [422],
    });
    if (answer.kind === "ok") return answer.body;
    // "A pull request already exists": ours, of a call whose answer was lost.
    const open = await openPrOf(connection, input);
    if (open !== undefined) return open;
    said = answer.text;
    await connection.wait(FOLLOW_WAIT_MS);
  }
  throw new OperationError(`cannot open a PR for ${branch}: ${reasonIn(said)}`, {
    code: "pr-refused",
    hint: `is ${branch} pushed, and does it have commits that ${target} has not?`,
  });
}

/** GitHub says what is wrong in its list of errors, not in its message. */
function reasonIn(text: string): string {
  const found = [...text.matchAll(/"message"\s*:\s*"((?:[^"\\]|\\.)*)"/g)];
  const reasons = found.map((match) => match[1] ?? "").filter((one) => one !== "Validation Failed");
  return reasons.length === 0 ? "GitHub refused it" : reasons.join("; ").slice(0, 300);
}

/** GitHub has taken in the push that this PR is about. */
async function followed(
  connection: Connection,
  pr: shape.RawPr,
  head: Commit,
): Promise<shape.RawPr> {
  let seen = pr;
  for (let attempt = 0; seen.head.sha !== head; attempt += 1) {
    if (attempt >= FOLLOW_ATTEMPTS) {
      throw new OperationError(`PR #${pr.number} does not follow its branch ${pr.head.ref}`, {
        code: "pr-behind",
        hint: `it is at ${seen.head.sha}; is GitHub busy?`,
        retryable: true,
      });
    }
    await connection.wait(FOLLOW_WAIT_MS);
    seen = await existingPr(connection, pr.number);
  }
  return seen;
}

export async function finishPr(
  connection: Connection,
  number: number,
  end: Parameters<Forge["finishPr"]>[1],
): Promise<void> {
  const pr = await existingPr(connection, number);
  if (isMerged(pr)) return;
  if (end.state === "closed") {
    if (pr.state === "open") await close(connection, number);
    return;
  }
  for (let attempt = 0; attempt < FOLLOW_ATTEMPTS; attempt += 1) {
    if (isMerged(await existingPr(connection, number))) return;
    await connection.wait(FOLLOW_WAIT_MS);
  }
  const body = `Landed as ${end.mergedAs}. (GitHub shows a PR as merged only where its own commits are on the target: [merge] strategy = "merge".)`;
  await addComment(connection, { issue: number, body, key: `landed ${end.mergedAs}` });
  if (pr.state === "open") await close(connection, number);
}

async function close(connection: Connection, number: number): Promise<void> {
  await connection.change({
    what: `close PR #${number}`,
    method: "PATCH",
    path: connection.at(`/pulls/${number}`),
    body: { state: "closed" },
    schema: shape.anything,
    repeatable: true,
    // It was merged this moment.
    accept: [422],
  });
}

const isMerged = (raw: shape.RawPr): boolean =>
  raw.merged_at !== undefined && raw.merged_at !== null;

function shownPr(raw: shape.RawPr): Pr {
  const body = raw.body ?? "";
  const merged = isMerged(raw);
  return {
    number: raw.number,
    title: raw.title,
    body: withoutMarks(body),
    branch: raw.head.ref,
    head: commitId(raw.head.sha),
    target: raw.base.ref,
    issue: issueIn(body),
    state: merged ? "merged" : raw.state,
    // Of an open PR it is GitHub's own test merge.
    mergedAs: merged && raw.merge_commit_sha ? commitId(raw.merge_commit_sha) : undefined,
    createdAt: raw.created_at,
    updatedAt: raw.updated_at,
  };
}
