// `pawl formula …`: which verbs there are and what they take. What they do is beside this file.
import { InvalidArgumentError } from "@commander-js/extra-typings";
import type { AddCommand } from "../command.ts";
import { importFormulas } from "./formula/import.ts";
import { listFormulas, showFormula, validateFormulas } from "./formula/look.ts";
import { runFormula } from "./formula/run.ts";
import { showRuns, stopRun } from "./formula/status.ts";

const EXAMPLES = `
Examples:
  pawl formula list
  pawl formula show release --dot | dot -Tsvg > release.svg
  pawl formula validate .pawl/formulas/release.toml
  pawl formula import ../gastown/shiny.formula.toml
  pawl formula run release --var version=1.2 --dry-run
  pawl formula run release --var version=1.2
  pawl formula status release.1

FORMULA is a name from \`pawl formula list\`, or a file that ends in .toml.`;

const JSON_OPTION = ["--json", "print JSON with all fields"] as const;
const DOT_OPTION = ["--dot", "as a graph in the DOT language"] as const;

export const addFormula: AddCommand = (program, { deps, finish }) => {
  const formula = program
    .command("formula")
    .description("tasks of several steps, described in TOML")
    .addHelpText("after", EXAMPLES);
  formula
    .command("list")
    .description("list the formulas of Pawl and of the project")
    .option(...JSON_OPTION)
    .action((options) => listFormulas(deps(), options));
  formula
    .command("show")
    .description("show a formula and its steps in order")
    .argument("<formula>", "its name or its file")
    .option(...JSON_OPTION)
    .option(...DOT_OPTION)
    .action((name, options) => showFormula(deps(), name, options));
  formula
    .command("validate")
    .description("report problems in a formula (default: in all formulas) by file and line")
    .argument("[formula...]", "names or files")
    .option("--json", "print the problems as JSON")
    .action(async (names, options) => finish(await validateFormulas(deps(), names, options)));
  formula
    .command("import")
    .description("convert formulas of other systems for this project")
    .argument("<file...>", "their files; add the files that they use")
    .option("--to <folder>", "the folder to write to (default: .pawl/formulas in this repository)")
    .option("--force", "overwrite existing files")
    .option("--print", "write nothing, print the translation")
    .action(async (files, options) => finish(await importFormulas(deps(), files, options)));
  formula
    .command("run")
    .description("run a formula and show its steps as they end")
    .argument("<formula>", "its name or its file")
    .option("--var <name=value>", "set a variable of the formula; may be repeated", collectVars, {})
    .option("--dry-run", "only show the steps, with the variables filled in")
    .option("--as-issue", "file an `action` issue for it instead, and print its number")
    .option("--detach", "return at once; the daemon runs it")
    .option(...JSON_OPTION)
    .action(async (name, options) => finish(await runFormula(deps(), name, options)));
  formula
    .command("status")
    .description("list runs of formulas; with a run, show every step of it")
    .argument("[run]", "the id of a run, or a formula for its newest run")
    .option(...JSON_OPTION)
    .option(...DOT_OPTION)
    .action((run, options) => showRuns(deps(), run, options));
  formula
    .command("stop")
    .description("stop a run and cancel its active steps")
    .argument("<run>", "its id")
    .action((run) => stopRun(deps(), run));
};

function collectVars(text: string, before: Record<string, string>): Record<string, string> {
  const at = text.indexOf("=");
  if (at < 1) throw new InvalidArgumentError("Write it as name=value.");
  return { ...before, [text.slice(0, at)]: text.slice(at + 1) };
}
