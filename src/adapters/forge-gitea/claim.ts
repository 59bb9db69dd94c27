// Taking an issue so that nobody else takes it too. Gitea has no compare-and-swap, but it numbers
// comments: whoever wants the issue posts a claim, reads all claims, and the first one has it; the
// others take theirs back. Labels and the assignee then show it to people. Giving the issue back
// removes the claim.
import { LABELS } from "../../core/issue.ts";
import type { Forge } from "../../ports/forge.ts";
import { claimMark, hasClaim, withMarks } from "../shared/forge-marks.ts";
import { postOnce, rawComments } from "./comments.ts";
import type { Connection } from "./connection.ts";
import type { Labels } from "./labels.ts";
import { existingIssue } from "./raw-issue.ts";
import { relabel } from "./relabel.ts";
import * as shape from "./shapes.ts";

type Outcome = Awaited<ReturnType<Forge["claim"]>>;

/**
 * Older claims on an issue that is not in progress are left over from somebody who is gone: those
 * who race post within seconds of each other.
 */
const RACE_MS = 120_000;

export async function claimIssue(
  connection: Connection,
  labels: Labels,
  wanted: { number: number; key: string },
): Promise<Outcome> {
  const { number } = wanted;
  const issue = await existingIssue(connection, number);
  if (issue.state === "closed") return { kind: "lost", why: `#${number} is closed` };
  const mark = claimMark(await connection.key(wanted.key));
  if (hasLabel(issue, LABELS.inProgress)) return resumeClaim(connection, labels, { issue, mark });
  const me = await connection.login("dev");
  const other = (issue.assignees ?? []).find(({ login }) => login !== me);
  if (other !== undefined) {
    return { kind: "lost", why: `#${number} is assigned to ${other.login}` };
  }
  const body = withMarks(`Pawl is working on this.`, mark);
  const mine = await postOnce(connection, { issue: number, body, mark });
  const first = await firstClaim(connection, { number, mine });
  if (first.id !== mine.id) {
    await removeComment(connection, mine.id);
    const by = first.user?.login ?? "somebody else";
    return { kind: "lost", why: `${by} claimed #${number} first` };
  }
  await take(connection, labels, { issue, me });
  return { kind: "claimed" };
}

/** In progress already: ours only where our claim is there, from before a crash. */
async function resumeClaim(
  connection: Connection,
  labels: Labels,
  held: { issue: shape.RawIssue; mark: string },
): Promise<Outcome> {
  const { number } = held.issue;
  const claims = await ownClaims(connection, number);
  if (!claims.some((claim) => claim.body?.includes(held.mark))) {
    return { kind: "lost", why: `#${number} is in progress already` };
  }
  await take(connection, labels, { issue: held.issue, me: await connection.login("dev") });
  return { kind: "claimed" };
}

/** Each part only where it is missing: a repeated claim leaves no trace. */
async function take(
  connection: Connection,
  labels: Labels,
  { issue, me }: { issue: shape.RawIssue; me: string },
): Promise<void> {
  const addLabels = [LABELS.inProgress];
  await relabel(connection, labels, { before: issue, addLabels, removeLabels: [LABELS.backlog] });
  if ((issue.assignees ?? []).some(({ login }) => login === me)) return;
  await connection.change({
    what: `assign #${issue.number} to ${me}`,
    method: "PATCH",
    path: connection.at(`/issues/${issue.number}`),
    body: { assignees: [me] },
    schema: shape.anything,
    repeatable: true,
    // An account that may not be assigned can work all the same.
    accept: [403, 422],
  });
}

async function firstClaim(
  connection: Connection,
  held: { number: number; mine: shape.RawComment },
): Promise<shape.RawComment> {
  const since = held.mine.created_at - RACE_MS;
  // Of every account: other factories have accounts of their own.
  const all = await rawComments(connection, held.number);
  const racing = all.filter((raw) => hasClaim(raw.body ?? "") && raw.created_at >= since);
  return racing[0] ?? held.mine;
}

/** Of our own account only: anybody could write the mark. */
async function ownClaims(connection: Connection, number: number): Promise<shape.RawComment[]> {
  const me = await connection.login("dev");
  const all = await rawComments(connection, number);
  return all.filter((raw) => raw.user?.login === me && hasClaim(raw.body ?? ""));
}

/** The issue is given back or done: whoever comes next may claim it. */
export async function releaseClaims(connection: Connection, issue: shape.RawIssue): Promise<void> {
  for (const claim of await ownClaims(connection, issue.number)) {
    await removeComment(connection, claim.id);
  }
  const me = await connection.login("dev");
  const assignees = (issue.assignees ?? []).map(({ login }) => login);
  // Whoever did it stays named on what is done.
  if (issue.state === "closed" || !assignees.includes(me)) return;
  await connection.change({
    what: `give #${issue.number} back`,
    method: "PATCH",
    path: connection.at(`/issues/${issue.number}`),
    body: { assignees: assignees.filter((login) => login !== me) },
    schema: shape.anything,
    repeatable: true,
  });
}

async function removeComment(connection: Connection, id: number): Promise<void> {
  await connection.change({
    what: "take back a claim",
    method: "DELETE",
    path: connection.at(`/issues/comments/${id}`),
    schema: shape.anything,
    accept: [404],
  });
}

const hasLabel = (issue: shape.RawIssue, name: string): boolean =>
  (issue.labels ?? []).some((label) => label.name === name);
