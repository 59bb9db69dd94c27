// `pawl status`: one screen that answers "show what is running and what needs you".
import type { StatusView } from "../../api/runs.ts";
import type { AddCommand } from "../command.ts";
import type { Deps } from "../deps.ts";
import { sayIgnoredConfig } from "../output/ignored-config.ts";
import { printJson } from "../output/rows.ts";
import { statusForPeople } from "../output/status-screen.ts";
import { statusForPipes } from "../output/status-lines.ts";

const EXAMPLES = `
Examples:
  pawl status
  pawl status --all                               every project of this factory
  pawl status --json | jq '.waits[] | select(.needs_you)'

In a pipe every line starts with what it is about: daemon, project, run, queue, wait or landed.`;

export const addStatus: AddCommand = (program, { deps }) => {
  program
    .command("status")
    .description("show what is running and what needs you")
    .option("--all", "of all projects, not only the one of this folder")
    .option("--json", "as JSON, with all fields")
    .action((options) => showStatus(deps(), options))
    .addHelpText("after", EXAMPLES);
};

async function showStatus(
  deps: Deps,
  options: { all?: true | undefined; json?: true | undefined },
): Promise<void> {
  const path = options.all === true ? "/v1/status?all=true" : "/v1/status";
  const status = await deps.client.get<StatusView>(path);
  if (options.json === true) {
    printJson(deps, status);
    return;
  }
  deps.stdout(deps.isTty ? statusForPeople(deps, status) : statusForPipes(status));
  await sayIgnoredConfig(deps, status.projects);
}
