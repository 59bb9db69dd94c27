// `pawl history`: runs that are over, a page at a time, the last end first.
import { Option } from "@commander-js/extra-typings";
import { HISTORY_KINDS } from "../../api/choices.ts";
import type { HistoryRowView, HistoryView } from "../../api/history.ts";
import { spanText } from "../../api/spans.ts";
import type { AddCommand } from "../command.ts";
import type { Deps } from "../deps.ts";
import { allProjects, positiveCount, oldAll } from "../options.ts";
import { printJson, printRows, type Column } from "../output/rows.ts";
import { harmless, paint, when } from "../output/text.ts";

const EXAMPLES = `
Examples:
  pawl history
  pawl history --all-projects --limit 100
  pawl history --kind formula
  pawl history --json | jq -r '.rows[] | select(.outcome == "blocked") | .id'

Details of one: \`pawl why 42\`, \`pawl logs 42\`, \`pawl checkpoint list 42\`.`;

type HistoryOptions = {
  kind: string;
  limit?: number | undefined;
  after?: string | undefined;
  all?: true | undefined;
  json?: true | undefined;
};

export const addHistory: AddCommand = (program, { deps }) => {
  program
    .command("history")
    .description("list runs that have ended, newest first")
    .addOption(new Option("--kind <kind>", "what to list").choices(HISTORY_KINDS).default("run"))
    .option("--limit <count>", "rows per page (default: 25)", positiveCount)
    .option("--after <cursor>", "show the next page: pass the value that the previous page printed")
    .addOption(allProjects())
    .addOption(oldAll())
    .option("--json", "as JSON, with all fields and the cursor of the next page")
    .action((options) => showHistory(deps(), options))
    .addHelpText("after", EXAMPLES);
};

async function showHistory(deps: Deps, options: HistoryOptions): Promise<void> {
  const { kind, limit, after, all } = options;
  const query = new URLSearchParams({ kind });
  if (limit !== undefined) query.set("limit", String(limit));
  if (after !== undefined) query.set("after", after);
  if (all === true) query.set("all", "true");
  const page = await deps.client.get<HistoryView>(`/v1/history?${query.toString()}`);
  if (options.json === true) {
    printJson(deps, page);
    return;
  }
  const empty = after === undefined ? `no ${kind} has ended yet` : "there are no older entries";
  const shown = columns(deps).filter(
    ({ title }) => !deps.isTty || all === true || title !== "project",
  );
  const whole = { "last words": WHOLE[kind] ?? "`--json` shows the last words whole" };
  printRows(deps, page.rows, { columns: shown, json: false, empty, whole });
  if (page.next !== null) deps.stderr(`older ones: --after '${page.next}'\n`);
}

/** What tells the rest of the last words, by kind. */
const WHOLE: Readonly<Record<string, string>> = {
  run: "`pawl why ID` shows the last words whole",
};

const columns = (deps: Deps): Column<HistoryRowView>[] => [
  { title: "ended", tty: (row) => when(deps, row.ended_at), pipe: (row) => row.ended_at },
  { title: "project", tty: ({ project }) => project },
  { title: "id", tty: ({ id }) => id },
  { title: "title", tty: ({ title }) => harmless(title), widthMin: 18 },
  {
    title: "outcome",
    tty: ({ outcome }) => outcomeText(deps, outcome),
    pipe: (row) => row.outcome,
  },
  {
    title: "took",
    tty: (row) => spanText(Date.parse(row.ended_at) - Date.parse(row.started_at)),
    pipe: (row) => row.started_at,
    align: "right",
  },
  {
    title: "tokens",
    tty: ({ tokens }) => tokens.toLocaleString("en-US"),
    pipe: ({ tokens }) => String(tokens),
    align: "right",
    drop: 2,
  },
  {
    title: "cost",
    tty: ({ cost_usd: usd }) => `$${usd.toFixed(2)}`,
    pipe: ({ cost_usd: usd }) => String(usd),
    align: "right",
    drop: 1,
  },
  {
    title: "last words",
    tty: (row) => (row.outcome === "landed" ? "" : wordsOf(row)),
    pipe: (row) => row.last_words.replaceAll("\n", " "),
    widthMin: 20,
  },
];

/** Not of what landed: its agent's last words are a command, or the title again. */
const wordsOf = ({ last_words: words, outcome }: HistoryRowView): string =>
  `${outcome === "refused" ? "agent: " : ""}${harmless(words).replaceAll("\n", " ")}`;

const GOOD = ["landed", "answered", "done", "met", "fired"];
const BAD = ["blocked", "failed", "refused"];

function outcomeText(deps: Deps, outcome: string): string {
  if (GOOD.includes(outcome)) return paint(deps, "green", outcome);
  return BAD.includes(outcome) ? paint(deps, "red", outcome) : outcome;
}
