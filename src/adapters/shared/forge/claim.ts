// Taking an issue so that nobody else takes it too. These forges have no compare-and-swap, but they
// number comments: whoever wants the issue posts a claim, reads all claims, and the first one has
// it; the others take theirs back. Labels and the assignee then show it to people. Giving the issue
// back removes the claim.
import { LABELS } from "../../../core/issue.ts";
import type { Forge } from "../../../ports/forge.ts";
import { claimMark, hasClaim, withMarks } from "../forge-marks.ts";
import { postOnce, rawComments } from "./comments.ts";
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
 * Older claims on an issue that is not in progress are left over from somebody who is gone: those
 * who race post within seconds of each other.
 */
const RACE_MS = 120_000;

export async function claimIssue(
  connection: Connection,
  belongings: Belongings,
  wanted: { number: number; key: string },
): Promise<Outcome> {
  const { number } = wanted;
  const issue = await existingIssue(connection, number);
  if (issue.state === "closed") return { kind: "lost", why: `#${number} is closed` };
  const mark = claimMark(await connection.key(wanted.key));
  const me = await connection.login("dev");
  if (issue.labels.some(({ name }) => name === LABELS.inProgress)) {
    // Ours only where our claim is there, from before a crash.
    const claims = await ownClaims(connection, number);
    if (claims.some((claim) => claim.body?.includes(mark))) {
      return take(connection, belongings, { issue, me });
    }
    return { kind: "lost", why: `#${number} is in progress already` };
  }
  const other = (issue.assignees ?? []).find(({ login }) => login !== me);
  if (other !== undefined) {
    return { kind: "lost", why: `#${number} is assigned to ${other.login}` };
  }
  const body = withMarks("Pawl is working on this.", mark);
  const mine = await postOnce(connection, { issue: number, body, mark });
  const first = await firstClaim(connection, { number, mine });
  if (first.id === mine.id) return take(connection, belongings, { issue, me });
  await removeComment(connection, mine.id);
  return { kind: "lost", why: `${first.user?.login ?? "somebody else"} claimed #${number} first` };
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

/** Of every account: other factories have accounts of their own. */
async function firstClaim(
  connection: Connection,
  { number, mine }: { number: number; mine: RawComment },
): Promise<RawComment> {
  const since = mine.created_at - RACE_MS;
  const all = await rawComments(connection, number);
  const racing = all.filter((raw) => hasClaim(raw.body ?? "") && raw.created_at >= since);
  return racing[0] ?? mine;
}

/** Of our own account only: anybody could write the mark. */
async function ownClaims(connection: Connection, number: number): Promise<RawComment[]> {
  const me = await connection.login("dev");
  const all = await rawComments(connection, number);
  return all.filter((raw) => raw.user?.login === me && hasClaim(raw.body ?? ""));
}

/** The issue is given back or done: whoever comes next may claim it. */
export async function releaseClaims(
  connection: Connection,
  assignment: Assignment,
  issue: RawIssue,
): Promise<void> {
  for (const claim of await ownClaims(connection, issue.number)) {
    await removeComment(connection, claim.id);
  }
  const me = await connection.login("dev");
  // Whoever did it stays named on what is done.
  if (issue.state === "open" && isAssigned(issue, me)) await assignment.unassign(issue, me);
}

async function removeComment(connection: Connection, id: number): Promise<void> {
  await connection.change({
    what: "take back a claim",
    method: "DELETE",
    path: connection.at(`/issues/comments/${id}`),
    schema: anything,
    accept: [404],
  });
}
