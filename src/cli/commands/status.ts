// `pawl status`: one screen that answers "show what is running and what needs you".
import { allProjects, oldAll } from "../options.ts";
import type { StatusView } from "../../api/runs.ts";
import type { AddCommand } from "../command.ts";
import type { Deps } from "../deps.ts";
import { sayIgnoredConfig } from "../output/ignored-config.ts";
import { jsonText } from "../output/text.ts";
import { statusForPeople } from "../output/status-for-people.ts";
import { statusForPipes } from "../output/status-for-pipes.ts";

const CLEAR_SCREEN = "\u001B[H\u001B[2J\u001B[3J";

const EXAMPLES = `
Examples:
  pawl status
  pawl status --all-projects                      every project of this factory
  pawl status --watch
  pawl status --json | jq '.waits[] | select(.needs_you)'

In a pipe every line starts with its kind: daemon, project, git, run, queue, wait, landed, or
elsewhere for another project that needs you.`;

export const addStatus: AddCommand = (program, { deps }) => {
  program
    .command("status")
    .description("show what is running and what needs you")
    .addOption(allProjects())
    .addOption(oldAll())
    .option("-w, --watch", "refresh at every change, until Ctrl-C")
    .option("--json", "as JSON, with all fields; with --watch one object per line")
    .action((options) => showStatus(deps(), options))
    .addHelpText("after", EXAMPLES);
};

type StatusOptions = {
  all?: true | undefined;
  watch?: true | undefined;
  json?: true | undefined;
};

async function showStatus(deps: Deps, options: StatusOptions): Promise<void> {
  if (options.watch === true) {
    await watchStatus(deps, options);
    return;
  }
  const status = await readStatus(deps, options);
  deps.stdout(textOf(deps, status, options));
  if (options.json !== true) await sayIgnoredConfig(deps, status.projects);
}

/** Again at every change, where what is shown is another. */
async function watchStatus(deps: Deps, options: StatusOptions): Promise<void> {
  const follower = await deps.client.follow();
  const clear = deps.isTty && options.json !== true ? CLEAR_SCREEN : "";
  let shown = "";
  try {
    do {
      const text = textOf(deps, await readStatus(deps, options), options);
      if (text !== shown) deps.stdout(`${clear}${text}`);
      shown = text;
    } while (await follower.changed());
  } finally {
    follower.close();
  }
}

const readStatus = (deps: Deps, { all }: StatusOptions): Promise<StatusView> =>
  deps.client.get<StatusView>(all === true ? "/v1/status?all=true" : "/v1/status");

function textOf(deps: Deps, status: StatusView, { json, watch }: StatusOptions): string {
  // A follower of JSON reads line by line.
  if (json === true) return watch === true ? `${JSON.stringify(status)}\n` : jsonText(status);
  return deps.isTty ? statusForPeople(deps, status, { isPathWhole: true }) : statusForPipes(status);
}
