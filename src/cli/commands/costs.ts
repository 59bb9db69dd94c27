// `pawl costs`: what agents have used, in tokens and money, where they report it.
import { Option } from "@commander-js/extra-typings";
import { COST_KEYS } from "../../api/choices.ts";
import type { BudgetView, CostsView, CostView } from "../../api/costs.ts";
import type { AddCommand } from "../command.ts";
import type { OperationError } from "../../lib/operation-error.ts";
import { allProjects, oldAll, positiveCount, usage } from "../options.ts";
import type { Deps } from "../deps.ts";
import { printJson, printRows, type Column } from "../output/rows.ts";

const EXAMPLES = `
Examples:
  pawl costs
  pawl costs --by day --json
  pawl costs --by agent`;

export const addCosts: AddCommand = (program, { deps }) => {
  program
    .command("costs")
    .description("show the tokens and money that agents used")
    .addOption(new Option("--by <what>", "group by this").choices(COST_KEYS).default("issue"))
    .option("--limit <count>", `only the most expensive (default: ${COST_ROWS})`, positiveCount)
    .addOption(allProjects())
    .addOption(oldAll())
    .option("--json", "print JSON")
    .addHelpText("after", EXAMPLES)
    .allowExcessArguments()
    .action((options, { args }) => {
      if (args.length > 0) throw takesNone(args);
      return showCosts(deps(), options);
    });
};

/** Other commands take an issue: it is said where its cost is. */
const takesNone = (words: readonly string[]): OperationError =>
  usage(
    `too many arguments for 'costs', which takes none: ${words.join(" ")}`,
    "`pawl costs` has a line for each issue; `pawl costs --by run` has one for each run",
  );

/** Lines where a command names no number. */
const COST_ROWS = 100;

type CostOptions = {
  by: string;
  limit?: number | undefined;
  all?: true | undefined;
  json?: true | undefined;
};

async function showCosts(deps: Deps, options: CostOptions): Promise<void> {
  const limit = String(options.limit ?? COST_ROWS);
  const query = new URLSearchParams({ by: options.by, limit });
  if (options.all === true) query.set("all", "true");
  const costs = await deps.client.get<CostsView>(`/v1/costs?${query.toString()}`);
  if (options.json === true) {
    printJson(deps, costs);
    return;
  }
  const rows = costs.rows.length > 1 && deps.isTty ? [...costs.rows, costs.total] : costs.rows;
  printRows(deps, rows, {
    columns: columnsFor(options.by),
    json: false,
    empty: "no agent has reported what it used yet",
  });
  if (costs.others > 0) {
    deps.stderr(`${costs.others} more cost less each; --limit ${rowsOf(costs)} shows all\n`);
  }
  if (costs.total.estimated_usd > 0) {
    deps.stderr(
      "estimates: tokens at the list prices in docs/costs.md; [[price]] in pawl.toml sets others\n",
    );
  }
  // Pipes get one table; JSON has both.
  if (!deps.isTty || costs.budgets.length === 0) return;
  deps.stdout("\n");
  printRows(deps, costs.budgets, { columns: BUDGET_COLUMNS, json: false, empty: "" });
}

const rowsOf = ({ rows, others }: CostsView): number => rows.length + others;

const BUDGET_COLUMNS: Column<BudgetView>[] = [
  { title: "budget", tty: ({ project, what }) => `${project} ${what}` },
  { title: "spent", tty: (row) => amounts(row.tokens, row.usd, row), align: "right" },
  { title: "of", tty: (row) => amounts(row.tokens_max, row.usd_max, row), align: "right" },
  { title: "", tty: ({ spent }) => (spent ? "spent" : "") },
  {
    title: "",
    tty: (row) => (row.usd_max === null ? "" : estimateText(row.usd, row.estimated_usd)),
  },
];

/** Only what is limited is shown. */
const amounts = (tokens: number | null, usd: number | null, of: BudgetView): string =>
  [
    ...(of.tokens_max === null ? [] : [`${(tokens ?? 0).toLocaleString("en-US")} tokens`]),
    ...(of.usd_max === null ? [] : [`$${(usd ?? 0).toFixed(2)}`]),
  ].join(", ");

const columnsFor = (by: string): Column<CostView>[] => [
  { title: by, tty: ({ key }) => key },
  count("input", ({ input_tokens: tokens }) => tokens),
  count("output", ({ output_tokens: tokens }) => tokens),
  count("cache read", ({ cache_read_tokens: tokens }) => tokens),
  count("cache write", ({ cache_write_tokens: tokens }) => tokens),
  {
    title: "cost",
    tty: ({ cost_usd: usd }) => `$${usd.toFixed(2)}`,
    pipe: ({ cost_usd: usd }) => String(usd),
    align: "right",
  },
  {
    title: "",
    tty: (row) => estimateText(row.cost_usd, row.estimated_usd),
    pipe: ({ estimated_usd: usd }) => String(usd),
  },
];

function estimateText(cost: number, estimated: number): string {
  if (estimated === 0) return "";
  return estimated >= cost ? "estimate" : `$${estimated.toFixed(2)} of it is an estimate`;
}

const count = (title: string, tokens: (row: CostView) => number): Column<CostView> => ({
  title,
  tty: (row) => tokens(row).toLocaleString("en-US"),
  pipe: (row) => String(tokens(row)),
  align: "right",
});
