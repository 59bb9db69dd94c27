// Issues of a GitHub repository: read, filed once per key, edited.
import * as z from "zod";
import { LABELS, type Issue } from "../../core/issue.ts";
import type { Forge } from "../../ports/forge.ts";
import { keyMark, marksIn, withMarks, withoutMarks } from "../shared/forge-marks.ts";
import { oneLine } from "../shared/one-line.ts";
import { releaseClaims } from "./claim.ts";
import type { Connection } from "./connection.ts";
import { relabel, type Labels } from "./labels.ts";
import { existingIssue, isPr, notFound } from "./raw-issue.ts";
import * as shape from "./shapes.ts";

const PAGE = 100;

export const shownIssue = (raw: shape.RawIssue): Issue => ({
  number: raw.number,
  title: raw.title,
  body: withoutMarks(raw.body ?? ""),
  state: raw.state,
  labels: raw.labels,
  author: raw.user?.login ?? "ghost",
  createdAt: raw.created_at,
  updatedAt: raw.updated_at,
  url: raw.html_url ?? undefined,
});

/** Asked with the ETag of the last answer: where nothing changed, it costs none of the rate limit. */
export async function listIssues(
  connection: Connection,
  state: "open" | "closed" | "all",
): Promise<Issue[]> {
  const all = await connection.read.list({
    what: `read the ${state} issues`,
    path: connection.at("/issues"),
    query: { state, sort: "created", direction: "asc", per_page: PAGE },
    schema: z.array(shape.issue),
  });
  return byNumber(all.filter((raw) => !isPr(raw)).map(shownIssue));
}

/** Lists that change while they are read show an issue on two pages. */
export function byNumber<T extends { number: number }>(items: T[]): T[] {
  const unique = new Map(items.map((item) => [item.number, item]));
  return [...unique.values()].toSorted((a, b) => a.number - b.number);
}

export function createIssue(
  connection: Connection,
  labels: Labels,
  input: Parameters<Forge["createIssue"]>[0],
): Promise<Issue> {
  return connection.serial(`issue ${input.key}`, async () => {
    const mark = keyMark(await connection.key(input.key));
    const made = await findMade(connection, mark);
    if (made !== undefined) return shownIssue(made);
    const answer = await connection.change({
      what: "file an issue",
      method: "POST",
      path: connection.at("/issues"),
      body: {
        title: oneLine(input.title),
        body: withMarks(input.body, mark),
        labels: await labels.ensure(input.labels),
      },
      schema: shape.issue,
    });
    if (answer.kind !== "ok") throw notFound("the repository");
    return shownIssue(answer.body);
  });
}

/** Among the newest hundred of our own: a call is repeated soon, or never. */
async function findMade(connection: Connection, mark: string): Promise<shape.RawIssue | undefined> {
  const creator = await connection.login("dev");
  const some = await connection.read.get({
    what: "look whether the issue was filed already",
    path: connection.at("/issues"),
    query: { state: "all", creator, per_page: PAGE },
    schema: z.array(shape.issue),
  });
  return some.find((raw) => raw.body?.includes(mark));
}

export async function editIssue(
  connection: Connection,
  labels: Labels,
  edit: { number: number; change: Parameters<Forge["editIssue"]>[1] },
): Promise<Issue> {
  const { number, change } = edit;
  const before = await existingIssue(connection, number);
  const fields = changedFields(before, change);
  if (Object.keys(fields).length > 0) {
    await connection.change({
      what: `edit issue #${number}`,
      method: "PATCH",
      path: connection.at(`/issues/${number}`),
      body: fields,
      schema: shape.anything,
      repeatable: true,
    });
  }
  await relabel(connection, labels, { before, ...change });
  const after = await existingIssue(connection, number);
  if (!change.removeLabels?.includes(LABELS.inProgress)) return shownIssue(after);
  await releaseClaims(connection, after);
  return shownIssue(await existingIssue(connection, number));
}

/** Only what is different: an edit that changes nothing leaves no trace. */
function changedFields(
  before: shape.RawIssue,
  { title, body, state }: Parameters<Forge["editIssue"]>[1],
): Record<string, string> {
  const fields: Record<string, string> = {};
  if (title !== undefined && oneLine(title) !== before.title) fields["title"] = oneLine(title);
  const old = before.body ?? "";
  if (body !== undefined && body !== withoutMarks(old)) {
    fields["body"] = withMarks(body, ...marksIn(old));
  }
  if (state !== undefined && state !== before.state) fields["state"] = state;
  return fields;
}
