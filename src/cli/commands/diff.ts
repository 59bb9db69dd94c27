// `pawl diff REF`: what an agent has changed so far, committed or not.
import type { AddCommand } from "../command.ts";
import type { Deps } from "../deps.ts";
import { typedRef } from "../output/shown-ref.ts";
import { paintDiff } from "../output/diff.ts";
import { printJson } from "../output/rows.ts";

const EXAMPLES = `
Examples:
  pawl diff 7 --stat
  pawl diff 7 | less`;

type Summary = {
  log: string;
  stat: string;
  diff: string;
  /** An earlier run of the same issue, whose work this is. */
  left_by?: string;
};
type DiffOptions = { stat?: true | undefined; json?: true | undefined };

export const addDiff: AddCommand = (program, { deps }) => {
  program
    .command("diff")
    .description("show what an agent has changed so far")
    .argument("<ref>", "an issue, a PR, a branch, a run or an identity")
    .option("--stat", "only the list of files with counts")
    .option("--json", "as JSON: log, stat and diff")
    .action((ref, options) => showDiff(deps(), ref, options))
    .addHelpText("after", EXAMPLES);
};

async function showDiff(deps: Deps, ref: string, options: DiffOptions): Promise<void> {
  const path = `/v1/runs/${encodeURIComponent(ref)}/diff`;
  const summary = await deps.client.get<Summary>(path);
  if (options.json === true) {
    printJson(deps, summary);
    return;
  }
  const text = options.stat === true ? summary.stat : summary.diff;
  if (text.trim() === "") deps.stderr(`${typedRef(ref)} has changed nothing yet\n`);
  else deps.stdout(paintDiff(deps, text));
  // Behind the text: in front of a long one it would scroll away.
  if (summary.left_by !== undefined) {
    deps.stderr(`its last run changed nothing: this is what run ${summary.left_by} left\n`);
  }
}
