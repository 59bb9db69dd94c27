// `pawl costs`: what agents have used, in tokens and money, where they tell (Claude Code does).
import { Option } from "@commander-js/extra-typings";
import { COST_KEYS, type CostsView, type CostView } from "../../api/costs.ts";
import type { AddCommand } from "../command.ts";
import type { Deps } from "../deps.ts";
import { printJson, printRows, type Column } from "../output/rows.ts";

const EXAMPLES = `
Examples:
  pawl costs
  pawl costs --by day --json`;

export const addCosts: AddCommand = (program, { deps }) => {
  program
    .command("costs")
    .description("what agents have used, in tokens and money")
    .addOption(new Option("--by <what>", "one line for each").choices(COST_KEYS).default("issue"))
    .option("--all", "of all projects, not only this one")
    .option("--json", "as JSON")
    .addHelpText("after", EXAMPLES)
    .action((options) => showCosts(deps(), options));
};

async function showCosts(
  deps: Deps,
  options: { by: string; all?: true | undefined; json?: true | undefined },
): Promise<void> {
  const query = new URLSearchParams({ by: options.by });
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
    empty: "no agent has told what it used yet",
  });
}

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
];

const count = (title: string, tokens: (row: CostView) => number): Column<CostView> => ({
  title,
  tty: (row) => tokens(row).toLocaleString("en-US"),
  pipe: (row) => String(tokens(row)),
  align: "right",
});
