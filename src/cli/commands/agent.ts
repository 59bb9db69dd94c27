// `pawl agent list | check NAME`: which agent programs there are, and whether one of them works here.
import type { RuntimeView } from "../../api/runtimes.ts";
import type { AddCommand } from "../command.ts";
import type { Deps } from "../deps.ts";
import { printRows, type Column } from "../output/rows.ts";

export const addAgent: AddCommand = (program, { deps, finish }) => {
  const agent = program
    .command("agent")
    .description("list the agent programs that Pawl knows, and check one of them");
  agent
    .command("list")
    .description("list agent programs: installed, version, tested, signed in")
    .option("--json", "as JSON, with what each cannot do")
    .addHelpText("after", "\nExamples:\n  pawl agent list\n  pawl agent list --json")
    .action((options) => list(deps(), options.json === true));
  agent
    .command("check")
    .description(
      "check an installed agent program: run Pawl's test cases with it in a scratch repository",
    )
    .argument("<name>", "a runtime, e.g. script")
    .option("--stub", "use a stub of the model on this machine instead of your account")
    .option("--json", "as JSON")
    .addHelpText(
      "after",
      "\nIt uses your account and costs a few cents, unless --stub is given.\n\nExamples:\n  pawl agent check script\n  pawl agent check claude --stub",
    )
    .action(async (name, options) => {
      const { checkAgent } = await import("../agent-check.ts");
      finish(await checkAgent(deps(), { name, ...options }));
    });
};

async function list(deps: Deps, json: boolean): Promise<void> {
  const runtimes = await deps.client.get<RuntimeView[]>("/v1/runtimes");
  printRows(deps, runtimes, { columns: COLUMNS, json, empty: "" });
  if (json) return;
  for (const { name, problems, notes } of runtimes) {
    for (const text of [...problems, ...notes]) deps.stderr(`${name}: ${text}\n`);
  }
}

const COLUMNS: Column<RuntimeView>[] = [
  { title: "agent", tty: ({ name }) => name },
  { title: "program", tty: ({ title }) => title, widthMin: 24 },
  { title: "installed", tty: (one) => installedText(one) },
  { title: "version", tty: ({ version }) => version ?? "" },
  { title: "tested with", tty: ({ tested }) => tested ?? "", drop: 1 },
  { title: "signed in", tty: ({ signed_in: is }) => (is === null ? "" : is ? "yes" : "no") },
];

function installedText({ program, installed }: RuntimeView): string {
  if (installed) return program === null ? "built in" : "yes";
  return program === null ? "as configured" : "no";
}
