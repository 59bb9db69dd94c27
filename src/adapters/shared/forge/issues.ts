// Issues of a repository: read, filed once per key, edited. Where to look for what was filed
// already is the adapter's.
import * as z from "zod";
import { LABELS, type Issue } from "../../../core/issue.ts";
import type { Forge } from "../../../ports/forge.ts";
import { keyMark, marksIn, withMarks, withoutMarks } from "./marks.ts";
import { oneLine } from "../title-line.ts";
import { releaseClaims, type Belongings } from "./claim.ts";
import type { As, Connection, Query } from "./connection.ts";
import { relabel, type Labels } from "./labels.ts";
import { existingIssue, isPr, notFound } from "./raw-issue.ts";
import { anything, type RawIssue } from "./shapes.ts";

export const shownIssue = ({ dialect }: Connection, raw: RawIssue): Issue => ({
  number: raw.number,
  title: raw.title,
  body: withoutMarks(raw.body ?? ""),
  state: raw.state,
  labels: raw.labels.map(({ name }) => name),
  author: raw.user?.login ?? dialect.unknownAuthor,
  createdAt: raw.created_at,
  updatedAt: raw.updated_at,
  url: raw.html_url ?? undefined,
});

export async function listIssues(
  connection: Connection,
  query: Query & { state: "open" | "closed" | "all" },
): Promise<Issue[]> {
  const all = await connection.read.list({
    what: `read the ${query.state} issues`,
    path: connection.at("/issues"),
    query,
    schema: z.array(connection.dialect.issue),
  });
  return byNumber(all.filter((raw) => !isPr(raw)).map((raw) => shownIssue(connection, raw)));
}

/** Lists that change while they are read show an issue on two pages. */
export function byNumber<T extends { number: number }>(items: T[]): T[] {
  const unique = new Map(items.map((item) => [item.number, item]));
  return [...unique.values()].toSorted((a, b) => a.number - b.number);
}

export function fileIssue(
  connection: Connection,
  labels: Labels,
  filing: {
    input: Parameters<Forge["createIssue"]>[0];
    as: As;
    findMade: (mark: string) => Promise<RawIssue | undefined>;
  },
): Promise<Issue> {
  const { input, as } = filing;
  return connection.serial(`issue ${input.key}`, async () => {
    const mark = keyMark(await connection.key(input.key));
    const made = await filing.findMade(mark);
    if (made !== undefined) return shownIssue(connection, made);
    const request = {
      what: "file an issue",
      method: "POST" as const,
      path: connection.at("/issues"),
      body: {
        title: oneLine(input.title),
        body: withMarks(input.body, mark),
        labels: await labels.ensure(input.labels),
      },
      schema: connection.dialect.issue,
    };
    const answer = await connection.change(request, as);
    if (answer.kind !== "ok") throw notFound(connection, "the repository");
    return shownIssue(connection, answer.body);
  });
}

export async function editIssue(
  connection: Connection,
  belongings: Belongings,
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
      schema: anything,
      repeatable: true,
    });
  }
  await relabel(connection, belongings.labels, { before, ...change });
  const after = await existingIssue(connection, number);
  if (!change.removeLabels?.includes(LABELS.inProgress)) return shownIssue(connection, after);
  await releaseClaims(connection, belongings.assignment, after);
  return shownIssue(connection, await existingIssue(connection, number));
}

/** Only what is different: an edit that changes nothing leaves no trace on the forge. */
function changedFields(
  before: RawIssue,
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
