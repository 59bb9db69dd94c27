// Issues of a Gitea repository: read, filed once per key, edited. Labels go by id.
import * as z from "zod";
import { LABELS, type Issue } from "../../core/issue.ts";
import type { Forge } from "../../ports/forge.ts";
import { keyMark, marksIn, withMarks, withoutMarks } from "../shared/forge-marks.ts";
import { oneLine } from "../shared/one-line.ts";
import { releaseClaims } from "./claim.ts";
import type { As, Connection } from "./connection.ts";
import type { Labels } from "./labels.ts";
import { existingIssue, isPr, notFound } from "./raw-issue.ts";
import { relabel } from "./relabel.ts";
import * as shape from "./shapes.ts";

const PAGE = 50;
/** How many of its newest issues a repeated call looks through for what the first one made. */
const LOOK_BACK = 100;

export function shownIssue(raw: shape.RawIssue): Issue {
  return {
    number: raw.number,
    title: raw.title,
    body: withoutMarks(raw.body ?? ""),
    state: raw.state,
    labels: (raw.labels ?? []).map((label) => label.name),
    author: raw.user?.login ?? "unknown",
    createdAt: raw.created_at,
    updatedAt: raw.updated_at,
    url: raw.html_url ?? undefined,
  };
}

export async function listIssues(
  connection: Connection,
  state: "open" | "closed" | "all",
): Promise<Issue[]> {
  const all = await connection.read.list({
    what: `read the ${state} issues`,
    path: connection.at("/issues"),
    query: { state, type: "issues", limit: PAGE },
    schema: z.array(shape.issue),
  });
  return byNumber(all.filter((raw) => !isPr(raw)).map(shownIssue));
}

/** Lists that change while they are read show an issue on two pages. */
export function byNumber<T extends { number: number }>(items: T[]): T[] {
  const unique = new Map(items.map((item) => [item.number, item]));
  return [...unique.values()].toSorted((a, b) => a.number - b.number);
}

export async function createIssue(
  connection: Connection,
  labels: Labels,
  input: Parameters<Forge["createIssue"]>[0],
): Promise<Issue> {
  const mark = keyMark(await connection.key(input.key));
  return connection.serial(`issue ${input.key}`, async () => {
    const as = await connection.speaker(input.author);
    const made = await findMade(connection, { mark, as });
    if (made !== undefined) return shownIssue(made);
    const request = {
      what: "file an issue",
      method: "POST" as const,
      path: connection.at("/issues"),
      body: {
        title: oneLine(input.title),
        body: withMarks(input.body, mark),
        labels: await labels.ids(input.labels),
      },
      schema: shape.issue,
    };
    const answer = await connection.change(request, as);
    if (answer.kind !== "ok") throw notFound("the repository");
    return shownIssue(answer.body);
  });
}

async function findMade(
  connection: Connection,
  { mark, as }: { mark: string; as: As },
): Promise<shape.RawIssue | undefined> {
  const created_by = await connection.login(as);
  for (let page = 1; page <= LOOK_BACK / PAGE; page += 1) {
    const some = await connection.read.get({
      what: "look whether the issue was filed already",
      path: connection.at("/issues"),
      query: { state: "all", type: "issues", created_by, limit: PAGE, page },
      schema: z.array(shape.issue),
    });
    const found = some.find((raw) => raw.body?.includes(mark));
    if (found !== undefined || some.length < PAGE) return found;
  }
  return undefined;
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

/** Only what is different: an edit that changes nothing leaves no trace on the forge. */
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
