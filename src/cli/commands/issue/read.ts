// Lists issues and shows one.
import type { IssueView, IssueWithCommentsView } from "../../../api/issues.ts";
import type { Deps } from "../../deps.ts";
import { printDocument } from "../../output/document.ts";
import { printJson, printRows, type Column } from "../../output/rows.ts";
import { harmless, paint, when } from "../../output/text.ts";

export type ListOptions = {
  state: "open" | "closed" | "all";
  label?: string | undefined;
  limit?: number | undefined;
  after?: number | undefined;
  all?: true | undefined;
  json?: true | undefined;
};

/** Rows of a page where a command names no number. */
export const ISSUE_ROWS = 100;
/** The API gives at most 1,000 rows, and one more than is shown tells whether there are others. */
const ROWS_MAX = 998;

export async function listIssues(deps: Deps, options: ListOptions): Promise<void> {
  const { state, label, after, limit = ISSUE_ROWS } = options;
  const rows = options.all === true ? Infinity : Math.min(limit, ROWS_MAX);
  const query = new URLSearchParams({ state });
  if (label !== undefined) query.set("label", label);
  if (rows < Infinity) query.set("limit", String(rows + 1));
  if (after !== undefined) query.set("after", String(after));
  const issues = await deps.client.get<IssueView[]>(`/v1/issues?${query.toString()}`);
  const shown = issues.slice(0, rows);
  printRows(deps, shown, { columns: columns(deps), json: options.json, empty: nothing(options) });
  if (issues.length > shown.length) {
    deps.stderr(`there are more: --after ${shown.at(-1)?.number}, or --all for every one\n`);
  }
}

const nothing = ({ state, label }: ListOptions): string => {
  const which = state === "all" ? "" : `${state} `;
  const labelled = label === undefined ? "" : ` with the label ${label}`;
  return `no ${which}issues${labelled}; \`pawl issue add --title "…"\` adds one`;
};

const columns = (deps: Deps): Column<IssueView>[] => [
  { title: "issue", tty: ({ number }) => `#${number}`, pipe: ({ number }) => String(number) },
  {
    title: "title",
    tty: ({ title }) => harmless(title),
    pipe: ({ title }) => title,
    widthMin: 20,
  },
  { title: "state", tty: ({ state }) => stateText(deps, state), pipe: ({ state }) => state },
  {
    title: "labels",
    tty: ({ labels }) => harmless(labels.join(", ")),
    pipe: ({ labels }) => labels.join(","),
    widthMin: 10,
  },
  {
    title: "depends on",
    tty: (issue) => issue.depends_on.map((number) => `#${number}`).join(" "),
    pipe: (issue) => issue.depends_on.join(","),
    widthMin: 10,
  },
  { title: "updated", tty: (issue) => when(deps, issue.updated_at) },
];

const stateText = (deps: Deps, state: IssueView["state"]): string =>
  paint(deps, state === "open" ? "green" : "magenta", state);

export async function showIssue(
  deps: Deps,
  number: number,
  options: { json?: true | undefined },
): Promise<void> {
  const issue = await deps.client.get<IssueWithCommentsView>(`/v1/issues/${number}`);
  if (options.json === true) {
    printJson(deps, issue);
    return;
  }
  const hash = deps.isTty ? "#" : "";
  printDocument(deps, {
    title: deps.isTty ? `#${issue.number} ${issue.title}` : issue.title,
    facts: [
      ...(deps.isTty ? [] : [{ name: "number", value: String(issue.number) }]),
      { name: "state", value: issue.state },
      { name: "labels", value: issue.labels.join(deps.isTty ? ", " : ",") },
      { name: "author", value: issue.author },
      { name: "depends on", value: issue.depends_on.map((one) => `${hash}${one}`).join(",") },
      { name: "created", value: when(deps, issue.created_at) },
      { name: "updated", value: when(deps, issue.updated_at) },
      ...(issue.edits.length === 0 ? [] : [{ name: "edited", value: editedText(issue) }]),
      ...(issue.url === null ? [] : [{ name: "url", value: issue.url }]),
    ],
    text: issue.body,
    said: issue.comments.map(({ author, body, created_at: at }) => ({
      by: author,
      at,
      text: body,
    })),
  });
  if (issue.state === "open" && issue.labels.includes("blocked")) deps.stderr(retryHint(issue));
}

/** What was written on the issue is for the page of a forge, too: there a label is removed. */
function retryHint({ number, comments }: IssueWithCommentsView): string {
  const isTold = comments.at(-1)?.body.includes("Remove the label `blocked` to try");
  return isTold === true
    ? `\`pawl retry ${number}\` does that\n`
    : `\`pawl retry ${number}\` removes the label \`blocked\` and tries it again\n`;
}

/** The earlier texts are long: they are shown where a program or a person asks for all of it. */
const editedText = ({ number, edits }: IssueWithCommentsView): string =>
  `${edits.length === 1 ? "once" : `${edits.length} times`}; \`pawl issue show ${number} --json\` has the earlier texts`;
