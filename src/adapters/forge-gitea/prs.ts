// Pull requests of a Gitea repository: one open PR per branch, its end, and what Gitea has to be
// told about it. Gitea sees by itself that a PR's commits are on the target only where "autodetect
// manual merge" is on; otherwise it is told, which needs "allow manual merge".
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

const PAGE = 50;
/** Gitea follows a push after it has answered it. */
const FOLLOW_ATTEMPTS = 25;
const FOLLOW_WAIT_MS = 200;

type Input = Parameters<Forge["ensurePr"]>[0];

export async function listPrs(connection: Connection, state: "open" | "all"): Promise<Pr[]> {
  return byNumber((await rawPrs(connection, state)).map(shownPr));
}

function rawPrs(connection: Connection, state: "open" | "all"): Promise<shape.RawPr[]> {
  return connection.read.list({
    what: `read the ${state === "open" ? "open PRs" : "PRs"}`,
    path: connection.at("/pulls"),
    query: { state, limit: PAGE },
    schema: z.array(shape.pr),
  });
}

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

export function ensurePr(connection: Connection, input: Input): Promise<Pr> {
  return connection.serial(`pr ${input.branch}`, async () => {
    const open = (await openPrOf(connection, input)) ?? (await makePr(connection, input));
    return shownPr(await followed(connection, open, input.head));
  });
}

async function openPrOf(
  connection: Connection,
  { branch, target }: Input,
): Promise<shape.RawPr | undefined> {
  const all = await rawPrs(connection, "open");
  return all.find((raw) => raw.head.ref === branch && raw.base.ref === target);
}

async function makePr(connection: Connection, input: Input): Promise<shape.RawPr> {
  const { branch, target } = input;
  const answer = await connection.change({
    what: `open a PR for ${branch}`,
    method: "POST",
    path: connection.at("/pulls"),
    body: {
      title: oneLine(input.title),
      body: withMarks(input.body, ...(input.issue === undefined ? [] : [issueMark(input.issue)])),
      head: branch,
      base: target,
    },
    schema: shape.pr,
    accept: [409],
  });
  if (answer.kind === "ok") return answer.body;
  const open = await openPrOf(connection, input);
  if (open !== undefined) return open;
  throw new OperationError(`cannot open a PR for ${branch}: the forge says there is one`, {
    code: "pr-hidden",
    hint: `look for a PR of ${branch} on the forge and close it`,
    retryable: true,
  });
}

/** The forge has taken in the push that this PR is about. */
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
        hint: `it is at ${seen.head.sha}; is the forge busy?`,
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
  if (pr.merged) return;
  if (end.state === "merged") await recordMerge(connection, pr, end.mergedAs);
  else if (pr.state === "open") await setState(connection, pr, "closed");
}

async function recordMerge(connection: Connection, pr: shape.RawPr, commit: Commit): Promise<void> {
  if (pr.state === "closed") await setState(connection, pr, "open");
  const told = await connection.change({
    what: `record that PR #${pr.number} is merged`,
    method: "POST",
    path: connection.at(`/pulls/${pr.number}/merge`),
    body: { Do: "manually-merged", MergeCommitID: commit },
    schema: shape.anything,
    accept: [404, 405, 409],
  });
  if (told.kind === "ok") return;
  for (let attempt = 0; attempt < FOLLOW_ATTEMPTS; attempt += 1) {
    // Gitea may have seen it by itself meanwhile, or be about to.
    if ((await existingPr(connection, pr.number)).merged) return;
    await connection.wait(FOLLOW_WAIT_MS);
  }
  // The repository allows neither: people are told in words, and the PR is not left open.
  const body = `Landed as ${commit}. (This repository allows no manual merge, so that this PR can only be closed; see "Manual merge" in Pawl's page on Gitea.)`;
  const said = { issue: pr.number, body, author: "pawl", key: `landed ${commit}` };
  await addComment(connection, said);
  await setState(connection, pr, "closed");
}

async function setState(
  connection: Connection,
  pr: shape.RawPr,
  state: "open" | "closed",
): Promise<void> {
  await connection.change({
    what: `${state === "open" ? "open" : "close"} PR #${pr.number}`,
    method: "PATCH",
    path: connection.at(`/pulls/${pr.number}`),
    body: { state },
    schema: shape.anything,
    repeatable: true,
    // Its branch may be gone, or it was merged this moment.
    accept: [404, 409, 412, 422],
  });
}

function shownPr(raw: shape.RawPr): Pr {
  const body = raw.body ?? "";
  return {
    number: raw.number,
    title: raw.title,
    body: withoutMarks(body),
    branch: raw.head.ref,
    head: commitId(raw.head.sha),
    target: raw.base.ref,
    issue: issueIn(body),
    state: raw.merged ? "merged" : raw.state,
    mergedAs: raw.merged && raw.merge_commit_sha ? commitId(raw.merge_commit_sha) : undefined,
    createdAt: raw.created_at,
    updatedAt: raw.updated_at,
  };
}
