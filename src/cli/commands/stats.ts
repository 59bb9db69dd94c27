// `pawl stats`: what landed, how long it took and where the time and the money went, day by day. The
// page draws the same numbers.
import { Option } from "@commander-js/extra-typings";
import { STATS_DAYS, STATS_DAYS_MAX } from "../../api/choices.ts";
import type { StatsSums, StatsView } from "../../api/stats.ts";
import { spanText } from "../../api/spans.ts";
import type { AddCommand } from "../command.ts";
import type { Deps } from "../deps.ts";
import { allProjects, positiveCount } from "../options.ts";
import { printJson, printRows, type Column } from "../output/rows.ts";

const EXAMPLES = `
Examples:
  pawl stats
  pawl stats --days 7 --all-projects
  pawl stats --role dev --csv > stats.csv
  pawl stats --json | jq .failures

\`pawl page\` draws these numbers. Days are in UTC.`;

export const addStats: AddCommand = (program, { deps }) => {
  program
    .command("stats")
    .description("show what landed, how long it took, and what it cost")
    .option(
      "--days <count>",
      `the last days, including today (default: ${STATS_DAYS}, at most ${STATS_DAYS_MAX})`,
      positiveCount,
    )
    .option("--role <role>", "only runs of this role, such as dev")
    .addOption(allProjects())
    .addOption(new Option("--csv", "one line per day, with a header").conflicts("json"))
    .option("--json", "as JSON, with costs by model and role, failures and load")
    .addHelpText("after", EXAMPLES)
    .action((options) => showStats(deps(), options));
};

type StatsOptions = {
  days?: number | undefined;
  role?: string | undefined;
  csv?: true | undefined;
  json?: true | undefined;
};

async function showStats(deps: Deps, options: StatsOptions & { all?: true }): Promise<void> {
  const query = new URLSearchParams();
  if (options.days !== undefined) query.set("days", String(options.days));
  if (options.role !== undefined) query.set("role", options.role);
  if (options.all === true) query.set("all", "true");
  const stats = await deps.client.get<StatsView>(`/v1/stats?${query.toString()}`);
  if (options.json === true) printJson(deps, stats);
  else if (options.csv === true) deps.stdout(csvOf(stats));
  else showTables(deps, stats);
}

/** No value has a comma or a quote: days and numbers. */
function csvOf({ days }: StatsView): string {
  const [first] = days;
  if (first === undefined) return "";
  const names = Object.keys(first).toSorted(
    (a, b) => Number(b === "day") - Number(a === "day"),
  ) as (keyof typeof first)[];
  const lines = days.map((day) => names.map((name) => String(day[name] ?? "")).join(","));
  return `${[names.join(","), ...lines].join("\n")}\n`;
}

function showTables(deps: Deps, stats: StatsView): void {
  const rows = stats.days.filter((day) => !isQuiet(day));
  const shown = printRows(
    deps,
    deps.isTty && rows.length > 0 ? [...rows, { day: "all", ...stats.total }] : rows,
    {
      columns: COLUMNS,
      json: false,
      empty: `nothing happened from ${stats.from} to ${stats.to}`,
    },
  );
  // Pipes get one table; JSON has all.
  if (!deps.isTty) return;
  if (rows.length > 0) deps.stderr(`${COUNTED}\n`);
  if (rows.some(({ landed }) => landed > 0)) deps.stderr(`${timesText(shown)}\n`);
  if (stats.failures.length === 0) return;
  deps.stdout("\n");
  printRows(deps, stats.failures, { columns: FAILURE_COLUMNS, json: false, empty: "" });
}

const COUNTED =
  "RUNS LANDED and NOT LANDED count runs of agents, not issues: an issue whose first run failed and whose second run landed counts in both. Branches that people queued are not counted.";

const PARTS = ["waiting", "working", "CI", "review", "queue"];

/** Only of what the table shows. */
function timesText(shown: readonly string[]): string {
  const parts = PARTS.filter((part) => shown.includes(part));
  const each = parts.length === 0 ? "" : `, and the average of each part (${parts.join(", ")})`;
  return `Times are for issues that landed: the median from issue to landing${each}.`;
}

const isQuiet = (day: StatsSums): boolean =>
  day.landed + day.not_landed + day.ci_runs + day.tokens + day.cost_usd === 0;

const duration = (seconds: number | null): string =>
  seconds === null ? "" : Math.round(seconds) === 0 ? "0 s" : spanText(Math.round(seconds) * 1000);

type Row = StatsView["days"][number];

const time = (title: string, of: (row: Row) => number | null, drop?: number): Column<Row> => ({
  title,
  tty: (row) => duration(of(row)),
  pipe: (row) => String(of(row) ?? ""),
  align: "right",
  ...(drop === undefined ? {} : { drop }),
});

const count = (title: string, of: (row: Row) => number | null): Column<Row> => ({
  title,
  tty: (row) => String(of(row) ?? ""),
  align: "right",
});

const COLUMNS: Column<Row>[] = [
  { title: "day", tty: ({ day }) => day },
  count("runs landed", (row) => row.landed),
  count("not landed", (row) => row.not_landed),
  time("issue to landing", (row) => row.lead_seconds),
  time("waiting", (row) => row.waiting_seconds, 3),
  time("working", (row) => row.working_seconds, 3),
  time("CI", (row) => row.ci_seconds, 3),
  // Without a review there was none to wait for.
  time("review", (row) => row.review_seconds || null, 3),
  time("queue", (row) => row.queue_seconds, 3),
  count("CI runs", (row) => row.ci_runs),
  {
    title: "cost",
    tty: ({ cost_usd: usd }) => `$${usd.toFixed(2)}`,
    pipe: ({ cost_usd: usd }) => String(usd),
    align: "right",
  },
];

const FAILURE_COLUMNS: Column<StatsView["failures"][number]>[] = [
  { title: "held up by", tty: ({ cause }) => cause },
  { title: "times", tty: (row) => String(row.count), align: "right" },
];
