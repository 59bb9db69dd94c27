// Taking an issue so that nobody else takes it too. GitHub has no compare-and-swap, but it numbers
// comments: whoever wants the issue posts a claim, reads all claims, and the first one has it; the
// others take theirs back. Labels and the assignee show it to people.
import { LABELS } from "../../core/issue.ts";
import type { Forge } from "../../ports/forge.ts";
import { claimMark, hasClaim, withMarks } from "../shared/forge-marks.ts";
import { postOnce, rawComments } from "./comments.ts";
import type { Connection } from "./connection.ts";
import { relabel, type Labels } from "./labels.ts";
import { existingIssue } from "./raw-issue.ts";
import * as shape from "./shapes.ts";

type Outcome = Awaited<ReturnType<Forge["claim"]>>;

/** Older claims on an issue that is not in progress are left over from somebody who is gone. */
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
  const me = await connection.login("dev");
  if (issue.labels.includes(LABELS.inProgress)) {
    const claims = await ownClaims(connection, number, me);
    if (!claims.some((claim) => claim.body?.includes(mark))) {
      return { kind: "lost", why: `#${number} is in progress already` };
    }
    return take(connection, labels, { issue, me });
  }
  const other = (issue.assignees ?? []).find(({ login }) => login !== me);
  if (other !== undefined) {
    return { kind: "lost", why: `#${number} is assigned to ${other.login}` };
  }
  const body = withMarks("Pawl is working on this.", mark);
  const mine = await postOnce(connection, { issue: number, body, mark });
  const first = await firstClaim(connection, number, mine);
  if (first.id === mine.id) return take(connection, labels, { issue, me });
  await removeComment(connection, mine.id);
  return { kind: "lost", why: `${first.user?.login ?? "somebody"} claimed #${number} first` };
}

/** Each part only where it is missing: a repeated claim leaves no trace. */
async function take(
  connection: Connection,
  labels: Labels,
  { issue, me }: { issue: shape.RawIssue; me: string },
): Promise<Outcome> {
  const addLabels = [LABELS.inProgress];
  await relabel(connection, labels, { before: issue, addLabels, removeLabels: [LABELS.backlog] });
  if (!(issue.assignees ?? []).some(({ login }) => login === me)) {
    // Silently nothing where the account may not be assigned; it can work all the same.
    await assign(connection, { number: issue.number, method: "POST", assignees: [me] });
  }
  return { kind: "claimed" };
}

async function assign(
  connection: Connection,
  of: { number: number; method: "POST" | "DELETE"; assignees: string[] },
): Promise<void> {
  await connection.change({
    what: `${of.method === "POST" ? "assign" : "unassign"} #${of.number}`,
    method: of.method,
    path: connection.at(`/issues/${of.number}/assignees`),
    body: { assignees: of.assignees },
    schema: shape.anything,
    repeatable: true,
    accept: [403, 422],
  });
}

/** Of every account: other factories have accounts of their own. */
async function firstClaim(
  connection: Connection,
  number: number,
  mine: shape.RawComment,
): Promise<shape.RawComment> {
  const since = mine.created_at - RACE_MS;
  const all = await rawComments(connection, number);
  const racing = all.filter((raw) => hasClaim(raw.body ?? "") && raw.created_at >= since);
  return racing[0] ?? mine;
}

/** Of our own account only: anybody could write the mark. */
async function ownClaims(
  connection: Connection,
  number: number,
  me: string,
): Promise<shape.RawComment[]> {
  const all = await rawComments(connection, number);
  return all.filter((raw) => raw.user?.login === me && hasClaim(raw.body ?? ""));
}

/** The issue is given back or done: whoever comes next may claim it. */
export async function releaseClaims(connection: Connection, issue: shape.RawIssue): Promise<void> {
  const me = await connection.login("dev");
  for (const claim of await ownClaims(connection, issue.number, me)) {
    await removeComment(connection, claim.id);
  }
  const isMine = (issue.assignees ?? []).some(({ login }) => login === me);
  // Whoever did it stays named on what is done.
  if (issue.state === "closed" || !isMine) return;
  await assign(connection, { number: issue.number, method: "DELETE", assignees: [me] });
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
