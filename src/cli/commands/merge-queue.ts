// `pawl merge-queue …`: which verbs there are and what they take. What they do is beside this file.
import { Option } from "@commander-js/extra-typings";
import type { AddCommand } from "../command.ts";
import { collect, integer, oldAll } from "../options.ts";
import {
  addBranches,
  approveEntry,
  pauseQueue,
  removeEntry,
  resumeQueue,
  setPriority,
} from "./merge-queue/change.ts";
import { explainEntry, listEntries, showQueue } from "./merge-queue/look.ts";
import { processQueue } from "./merge-queue/process.ts";

const EXAMPLES = `
Examples:
  pawl merge-queue list
  pawl merge-queue add feature/x            a branch of your own, tested and landed like any other
  pawl merge-queue add feature/y --after feature/x
  pawl merge-queue add $(git branch --list "fix/*" --format "%(refname:short)")
  pawl merge-queue process --until-idle     until no entry can make progress; works without a daemon
  pawl merge-queue explain 42               the entry of issue #42
  pawl merge-queue status
  pawl merge-queue remove feature/x
  pawl merge-queue approve 42               it may change pawl.toml and protected files
  pawl merge-queue pause --reason "release day"
  pawl merge-queue resume

Name an entry by its issue or PR (42), by its branch, or by its own id (e3, as in the list). For a
branch that you added yourself, the number alone (3) works, too.`;

const JSON_OPTION = ["--json", "print JSON with all fields"] as const;

export const addMergeQueue: AddCommand = (program, { deps, finish }) => {
  const queue = program
    .command("merge-queue")
    .description("manage the merge queue, the only way onto the target")
    .addHelpText("after", EXAMPLES);
  queue
    .command("list")
    .description("list entries in landing order, and branches that were sent back")
    .addOption(
      new Option(
        "--state <state>",
        "`open`, or `all` to include entries that landed or were cancelled",
      )
        .choices(["open", "all"])
        .default("open"),
    )
    .addOption(oldAll())
    .option(...JSON_OPTION)
    .action(({ state, all, json }) => {
      return listEntries(deps(), { json, all: all === true || state === "all" });
    });
  queue
    .command("status")
    .description("show whether the queue runs, what it tests and what landed last")
    .option(...JSON_OPTION)
    .action((options) => showQueue(deps(), options));
  queue
    .command("explain")
    .description("explain why an entry waits, and show its test results")
    .argument("<entry>", "its issue, its branch, or its id (e3)")
    .option(...JSON_OPTION)
    .action((entry, options) => explainEntry(deps(), entry, options));
  addChanges(queue, { deps, finish });
};

/** The verbs that change something. */
const addChanges: AddCommand = (queue, { deps, finish }) => {
  queue
    .command("add")
    .description("queue branches of the remote or of your own repository")
    .argument("<branch...>", "one branch or more; they are queued in the order you name them")
    .option(
      "--priority <n>",
      "the priority; each level counts as half an hour of waiting",
      integer,
      0,
    )
    .option("--after <branch>", "land it only after this branch; may be repeated", collect, [])
    .option(...JSON_OPTION)
    .action(async (branches, options) => finish(await addBranches(deps(), branches, options)));
  queue
    .command("remove")
    .description("remove an entry and tell its author")
    .argument("<entry>", "its issue, its branch, or its id (e3)")
    .action((entry) => removeEntry(deps(), entry));
  queue
    .command("approve")
    .description("allow this version of an entry to change pawl.toml and protected files")
    .argument("<entry>", "its issue, its branch, or its id (e3)")
    .action((entry) => approveEntry(deps(), entry));
  queue
    .command("priority")
    .description("change an entry's priority; each level counts as half an hour of waiting")
    .argument("<entry>", "its issue, its branch, or its id (e3)")
    .argument("<n>", "0 is normal; higher lands earlier", integer)
    .action((entry, priority) => setPriority(deps(), entry, priority));
  queue
    .command("process")
    .description("work until one entry has landed or is sent back")
    .addOption(
      new Option("--until-idle", "work until no entry can make progress").implies({ all: true }),
    )
    .addOption(oldAll())
    .option(...JSON_OPTION)
    .action(async (options) => finish(await processQueue(deps(), options)));
  queue
    .command("pause")
    .description("pause landing until `pawl merge-queue resume`")
    .option("--reason <text>", "the reason, shown in status")
    .addOption(new Option("--why <text>").hideHelp())
    .action(({ reason, why }) => pauseQueue(deps(), { why: reason ?? why ?? "paused by hand" }));
  queue
    .command("resume")
    .description("resume landing")
    .action(() => resumeQueue(deps()));
};
