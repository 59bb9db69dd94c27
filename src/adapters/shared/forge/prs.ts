// Pull requests of a repository: read, opened, closed, and one open PR per branch. What the forge's
// refusals mean, and how a landed one ends, is the adapter's.
import * as z from "zod";
import { commitId, type Commit } from "../../../core/ids.ts";
import { OperationError } from "../../../lib/operation-error.ts";
import type { Forge, Pr } from "../../../ports/forge.ts";
import { issueIn, issueMark, withMarks, withoutMarks } from "./marks.ts";
import type { HttpAnswer } from "../http-client.ts";
import { oneLine } from "../title-line.ts";
import type { Connection, Query } from "./connection.ts";
import { byNumber } from "./issues.ts";
import { notFound } from "./raw-issue.ts";
import { anything, type RawPr } from "./shapes.ts";

type PrQuery = Query & { state: "open" | "all" };
export type WantedPr = Parameters<Forge["ensurePr"]>[0];

/** How the forge finds the open PR of a branch, and makes it. */
export type Opening = {
  find(connection: Connection, input: WantedPr): Promise<RawPr | undefined>;
  make(connection: Connection, input: WantedPr): Promise<RawPr>;
};

export async function listPrs(connection: Connection, query: PrQuery): Promise<Pr[]> {
  return byNumber(await shownPrs(connection, await rawPrs(connection, query)));
}

/** Two requests: the forges cannot be asked for the PRs of an issue. */
export async function prsOf(
  connection: Connection,
  issue: number,
): Promise<(Pr & { own: boolean })[]> {
  const { page, lastEnded } = connection.dialect;
  const open = await rawPrs(connection, { state: "open", ...page });
  const ended = await connection.read.list({
    what: "read the PRs that ended last",
    path: connection.at("/pulls"),
    query: { state: "closed", ...lastEnded.query },
    pagesMax: lastEnded.pages,
    schema: z.array(connection.dialect.pr),
  });
  const me = await connection.login("dev");
  const shown: (Pr & { own: boolean })[] = [];
  for (const raw of [...open, ...ended]) {
    const pr = await shownPr(connection, raw);
    if (pr.issue === issue) shown.push({ ...pr, own: raw.user?.login === me });
  }
  return byNumber(shown);
}

async function shownPrs(connection: Connection, all: RawPr[]): Promise<Pr[]> {
  const shown: Pr[] = [];
  for (const raw of all) shown.push(await shownPr(connection, raw));
  return shown;
}

export const rawPrs = (connection: Connection, query: PrQuery): Promise<RawPr[]> =>
  connection.read.list({
    what: `read the ${query.state === "open" ? "open PRs" : "PRs"}`,
    path: connection.at("/pulls"),
    query,
    schema: z.array(connection.dialect.pr),
  });

export async function findPr(connection: Connection, number: number): Promise<Pr | undefined> {
  const raw = await rawPr(connection, number);
  return raw && shownPr(connection, raw);
}

async function rawPr(connection: Connection, number: number): Promise<RawPr | undefined> {
  const answer = await connection.read.ask({
    what: `read PR #${number}`,
    path: connection.at(`/pulls/${number}`),
    schema: connection.dialect.pr,
    accept: [404],
  });
  return answer.kind === "ok" ? answer.body : undefined;
}

export async function existingPr(connection: Connection, number: number): Promise<RawPr> {
  const raw = await rawPr(connection, number);
  if (raw === undefined) throw notFound(connection, `PR #${number}`);
  return raw;
}

export const ensurePr = (connection: Connection, input: WantedPr, opening: Opening): Promise<Pr> =>
  connection.serial(`pr ${input.branch}`, async () => {
    const found = await opening.find(connection, input);
    const open = found ?? (await opening.make(connection, input));
    return shownPr(connection, await followed(connection, open, input.head));
  });

/** `accept`: statuses that are an answer, too. */
export const openPr = (
  connection: Connection,
  input: WantedPr,
  accept: readonly number[],
): Promise<HttpAnswer<RawPr>> =>
  connection.change({
    what: `open a PR for ${input.branch}`,
    method: "POST",
    path: connection.at("/pulls"),
    body: {
      title: oneLine(input.title),
      body: withMarks(input.body, ...(input.issue === undefined ? [] : [issueMark(input.issue)])),
      head: input.branch,
      base: input.target,
    },
    schema: connection.dialect.pr,
    accept,
  });

/** `accept`: statuses that say it has ended already. */
export async function setPrState(
  connection: Connection,
  number: number,
  { state, accept }: { state: "open" | "closed"; accept: readonly number[] },
): Promise<void> {
  await connection.change({
    what: `${state === "open" ? "open" : "close"} PR #${number}`,
    method: "PATCH",
    path: connection.at(`/pulls/${number}`),
    body: { state },
    schema: anything,
    repeatable: true,
    accept,
  });
}

/** The forge has processed the push that this PR is about. */
export async function followed(connection: Connection, pr: RawPr, head: Commit): Promise<RawPr> {
  const { follow, forge } = connection.dialect;
  let seen = pr;
  for (let attempt = 0; seen.head.sha !== head; attempt += 1) {
    if (attempt >= follow.attempts) {
      throw new OperationError(`PR #${pr.number} does not follow its branch ${pr.head.ref}`, {
        code: "pr-behind",
        hint: `it is at ${seen.head.sha}; is ${forge} busy?`,
        retryable: true,
      });
    }
    await connection.wait(follow.waitMs);
    seen = await existingPr(connection, pr.number);
  }
  return seen;
}

/** The forge may have seen by itself that the PR's commits are on the target, or be about to. */
export async function isSeenMerged(connection: Connection, number: number): Promise<boolean> {
  const { follow } = connection.dialect;
  for (let attempt = 0; attempt < follow.attempts; attempt += 1) {
    if ((await existingPr(connection, number)).merged) return true;
    await connection.wait(follow.waitMs);
  }
  return false;
}

/** A fork may have a branch of any name. */
export const isBranchHere = ({ head, base }: RawPr, branch: string): boolean =>
  head.ref === branch && head.repo?.id === base.repo?.id;

async function shownPr(connection: Connection, raw: RawPr): Promise<Pr> {
  const body = raw.body ?? "";
  return {
    number: raw.number,
    title: raw.title,
    body: withoutMarks(body),
    branch: raw.head.ref,
    head: commitId(raw.head.sha),
    target: raw.base.ref,
    issue: issueIn(body, await connection.isOurs(raw)),
    state: raw.merged ? "merged" : raw.state,
    // Of an open PR it may be the forge's own test merge.
    mergedAs: raw.merged && raw.merge_commit_sha ? commitId(raw.merge_commit_sha) : undefined,
    createdAt: raw.created_at,
    updatedAt: raw.updated_at,
  };
}
