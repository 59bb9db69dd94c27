// `pawl recover --from URL`: takes up the work of a lost machine from the remote that its
// checkpoints were copied to.
import type { RecoveredView } from "../../api/checkpoints.ts";
import type { AddCommand } from "../command.ts";
import type { Deps } from "../deps.ts";
import { printRows, type Column } from "../output/rows.ts";
import { when } from "../output/text.ts";

const ABOUT = `
It restores files that git does not ignore, commits, branches and stashes of work that had not
landed, from the last copy. It cannot restore issues of the built-in tracker, runs, messages and
logs, which are in the lost machine's journal. It overwrites nothing on this machine.

The next run of the same issue (same number and title) continues from there, as a new attempt.

Examples:
  pawl recover --from git@example.org:me/backup.git
  pawl recover --from backup --project toy
  pawl checkpoint list dev-7`;

export const addRecover: AddCommand = (program, { deps }) => {
  program
    .command("recover")
    .description("resume the work of a lost machine from its checkpoint remote")
    .requiredOption(
      "--from <remote>",
      "the remote's name or URL, from [checkpoints] push on that machine",
    )
    .option("--json", "print JSON with all fields")
    .action((options) => recover(deps(), options))
    .addHelpText("after", ABOUT);
};

const KINDS = {
  fetched: "brought back",
  current: "already here",
  kept: "kept: this machine has its own checkpoints",
} as const;

async function recover(
  deps: Deps,
  options: { from: string; json?: true | undefined },
): Promise<void> {
  const rows = await deps.client.post<RecoveredView[]>("/v1/recover", { from: options.from });
  const columns: Column<RecoveredView>[] = [
    { title: "identity", tty: ({ identity }) => identity },
    { title: "branch", tty: ({ branch }) => branch ?? "", widthMin: 12 },
    { title: "saved", tty: ({ at }) => when(deps, at) },
    { title: "what", tty: ({ kind }) => KINDS[kind], pipe: ({ kind }) => kind },
  ];
  const empty = "that remote has no checkpoints of unfinished work";
  printRows(deps, rows, { columns, json: options.json, empty });
  if (rows.some(({ kind }) => kind === "fetched")) {
    deps.stderr("the next run of each of these issues continues from there\n");
  }
}
