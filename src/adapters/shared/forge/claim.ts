// Claims an issue so that no other factory works on it. These forges have no compare-and-swap, but
// they number comments: each factory posts a claim and reads all claims; the first one wins, and
// the others delete theirs. Labels and the assignee then show the claim to people. Releasing the
// issue removes the claim.
import { LABELS } from "../../../core/issue.ts";
import type { Claim, Forge } from "../../../ports/forge.ts";
import { claimIn, claimMark, hasClaim, withMarks, type ClaimMark } from "./marks.ts";
import { commentsOfOurs, isClaim, postOnce, rawComments } from "./comments.ts";
import type { Connection } from "./connection.ts";
import { relabel, type Labels } from "./labels.ts";
import { existingIssue } from "./raw-issue.ts";
import { anything, type RawComment, type RawIssue } from "./shapes.ts";

type Outcome = Awaited<ReturnType<Forge["claim"]>>;

/** How the forge says who works on an issue. */
export type Assignment = {
  assign(issue: RawIssue, me: string): Promise<void>;
  unassign(issue: RawIssue, me: string): Promise<void>;
};

/** What is changed along with a claim. */
export type Belongings = { labels: Labels; assignment: Assignment };

/**
 * Older claims on an issue that is not in progress were left by a factory that ended: claims that
 * compete are posted within seconds of each other.
 */
const RACE_MS = 120_000;

export async function claimIssue(
  connection: Connection,
  belongings: Belongings,
  wanted: { number: number; key: string },
): Promise<Outcome> {
  const { number, key } = wanted;
  const issue = await existingIssue(connection, number);
  if (issue.state === "closed") return { kind: "lost", why: `#${number} is closed` };
  const me = await connection.login("dev");
  const { id: factory, home } = await connection.factory();
  const mark = claimMark({ factory, home, key });
  if (isInProgress(issue)) {
    // Ours only where our claim is there, from before a crash, and was the first.
    const mine = await madeBefore(connection, { number, factory, key });
    if (mine === undefined) {
      const by = heldBy(await claimOf(connection, number));
      return { kind: "lost", why: `#${number} is in progress already${by}` };
    }
    return settleRace(connection, belongings, { issue, me, mine });
  }
  const other = (issue.assignees ?? []).find(({ login }) => login !== me);
  if (other !== undefined) {
    return { kind: "lost", why: `#${number} is assigned to ${other.login}` };
  }
  const body = withMarks("Pawl is working on this.", mark);
  const mine = await postOnce(connection, { issue: number, body, mark });
  return settleRace(connection, belongings, { issue, me, mine });
}

/** An older version's claim names no home. */
async function madeBefore(
  connection: Connection,
  { number, factory, key }: { number: number; factory: string; key: string },
): Promise<RawComment | undefined> {
  const own = await ownClaims(connection, number);
  return own.find((raw) => {
    const mark = claimIn(raw.body ?? "");
    return mark?.factory === factory && mark.key === key;
  });
}

async function settleRace(
  connection: Connection,
  belongings: Belongings,
  { issue, me, mine }: { issue: RawIssue; me: string; mine: RawComment },
): Promise<Outcome> {
  const { number } = issue;
  const first = await firstClaim(connection, { number, mine });
  if (first.id === mine.id) return take(connection, belongings, { issue, me });
  await removeComment(connection, mine.id);
  const by = heldBy(await claimBy(connection, first));
  return { kind: "lost", why: `another factory claimed #${number} first${by}` };
}

const isInProgress = ({ labels }: RawIssue): boolean =>
  labels.some(({ name }) => name === LABELS.inProgress);

function heldBy(claim: Claim | undefined): string {
  if (claim === undefined) return "";
  return claim.holder === "stranger" ? ` (${claim.by})` : ` (another factory of ${claim.by})`;
}

/** The latest: who lost a race takes theirs back, and who gave up may have left theirs behind. */
export async function claimOf(connection: Connection, number: number): Promise<Claim | undefined> {
  if (!isInProgress(await existingIssue(connection, number))) return undefined;
  const all = await allClaims(connection, number);
  const last = all.findLast((raw) => claimIn(raw.body ?? "") !== undefined);
  return last && claimBy(connection, last);
}

async function claimBy(connection: Connection, raw: RawComment): Promise<Claim | undefined> {
  const mark = claimIn(raw.body ?? "");
  if (mark === undefined) return undefined;
  const by = raw.user?.login ?? connection.dialect.unknownAuthor;
  const holder = await holderOf(connection, mark, by);
  return { key: mark.key, by, at: raw.created_at, holder };
}

/** Every account could write the mark of our factory: only our own account counts. */
async function holderOf(
  connection: Connection,
  { factory, home }: ClaimMark,
  by: string,
): Promise<Claim["holder"]> {
  if (by !== (await connection.login("dev"))) return "stranger";
  const own = await connection.factory();
  if (factory === own.id) return "this";
  return home === own.home ? "gone" : "sibling";
}

/** Each part only where it is missing: a repeated claim leaves no trace. */
async function take(
  connection: Connection,
  { labels, assignment }: Belongings,
  { issue, me }: { issue: RawIssue; me: string },
): Promise<Outcome> {
  const addLabels = [LABELS.inProgress];
  await relabel(connection, labels, { before: issue, addLabels, removeLabels: [LABELS.backlog] });
  if (!isAssigned(issue, me)) await assignment.assign(issue, me);
  return { kind: "claimed" };
}

const isAssigned = (issue: RawIssue, me: string): boolean =>
  (issue.assignees ?? []).some(({ login }) => login === me);

/** Of every account that may write: other factories have accounts of their own. */
async function allClaims(connection: Connection, number: number): Promise<RawComment[]> {
  const claims: RawComment[] = [];
  for (const raw of await rawComments(connection, number)) {
    if (await isClaim(connection, raw)) claims.push(raw);
  }
  return claims;
}

/**
 * What this factory claimed before is no rival: its run is over, and a person took the issue from it.
 */
async function firstClaim(
  connection: Connection,
  { number, mine }: { number: number; mine: RawComment },
): Promise<RawComment> {
  const since = mine.created_at - RACE_MS;
  for (const raw of await allClaims(connection, number)) {
    if (raw.id === mine.id) break;
    if (raw.created_at < since) continue;
    if ((await claimBy(connection, raw))?.holder !== "this") return raw;
  }
  return mine;
}

async function ownClaims(connection: Connection, number: number): Promise<RawComment[]> {
  const ours = await commentsOfOurs(connection, number);
  return ours.filter((raw) => hasClaim(raw.body ?? ""));
}

/** The issue is released or done: the next factory may claim it. */
export async function releaseClaims(
  connection: Connection,
  assignment: Assignment,
  issue: RawIssue,
): Promise<void> {
  for (const claim of await ownClaims(connection, issue.number)) {
    await removeComment(connection, claim.id);
  }
  const me = await connection.login("dev");
  // The assignee of a closed issue stays.
  if (issue.state === "open" && isAssigned(issue, me)) await assignment.unassign(issue, me);
}

async function removeComment(connection: Connection, id: number): Promise<void> {
  await connection.change({
    what: "withdraw a claim",
    method: "DELETE",
    path: connection.at(`/issues/comments/${id}`),
    schema: anything,
    accept: [404],
  });
}
