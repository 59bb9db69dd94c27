// `pawl why REF`: why nothing happens with an issue, a session or an entry of the merge queue.
import type { AddCommand } from "../command.ts";
import type { Deps } from "../deps.ts";
import { printJson } from "../output/rows.ts";
import { harmless } from "../output/text.ts";
import { wrapped } from "../output/wrap.ts";

const EXAMPLES = `
Examples:
  pawl why 7
  pawl why pawl/7-fix-the-parser`;

export const addWhy: AddCommand = (program, { deps }) => {
  program
    .command("why")
    .description("explain why an issue does not move")
    .argument("<ref>", "an issue, a branch, a run, an identity or an entry of the merge queue")
    .option("--json", "print JSON")
    .action((ref, options) => showWhy(deps(), ref, options))
    .addHelpText("after", EXAMPLES);
};

async function showWhy(
  deps: Deps,
  ref: string,
  options: { json?: true | undefined },
): Promise<void> {
  const why = await deps.client.get<{ lines: string[] }>(`/v1/why/${encodeURIComponent(ref)}`);
  if (options.json === true) printJson(deps, why);
  else deps.stdout(linesOf(deps, why.lines));
}

const linesOf = (deps: Deps, lines: string[]): string =>
  lines.map((line) => `${deps.isTty ? wrapped(deps, harmless(line)) : line}\n`).join("");
