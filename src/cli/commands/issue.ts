// `pawl issue …`: the words of each verb. What they do is in issue/.
import { Option } from "@commander-js/extra-typings";
import type { AddCommand } from "../command.ts";
import { collect, collectNumbers, issueNumber, positiveCount } from "../options.ts";
import { commentIssue, editIssue, setIssueState } from "./issue/change.ts";
import { addNewIssue } from "./issue/add.ts";
import { showDependencies, showNamed } from "./issue/deps.ts";
import { importIssues } from "./issue/import.ts";
import { ISSUE_ROWS, listIssues, showIssue } from "./issue/read.ts";

const EXAMPLES = `
Examples:
  pawl issue add --title "Fix the parser" --body-file spec.md
  pawl issue add --title "Test" --depends-on 7 --label backlog --label priority
  pawl issue list --label blocked
  pawl issue list --state all --all --json      all issues, also closed ones
  pawl issue show 7
  pawl issue deps
  pawl issue deps -                             the dependencies named in the text on stdin
  pawl issue comment 7 --body "Use UTC."
  pawl issue close 7
  pawl issue reopen 7
  pawl issue edit 7 --remove-label blocked      try it again
  pawl issue import backlog.md                  one issue per "# " heading`;

type Words = Parameters<AddCommand>;

export const addIssue: AddCommand = (program, context) => {
  const issue = program
    .command("issue")
    .description("add, list, show, edit, comment, close, import issues")
    .addHelpText("after", EXAMPLES);
  addMaking(issue, context);
  addReading(issue, context);
  addChanging(issue, context);
};

const stateOption = () =>
  new Option("--state <state>", "which state to list")
    .choices(["open", "closed", "all"] as const)
    .default("open" as const);

function addMaking(issue: Words[0], { deps }: Words[1]): void {
  issue
    .command("add")
    .description("add an issue; prints its number")
    .requiredOption("--title <title>", "the title, in one line")
    .option("--body <text>", "the description")
    .option("--body-file <file>", "read it from a file, or from stdin with -")
    .option("--label <label>", "use this label instead of `backlog`; may be repeated", collect)
    .option("--depends-on <number>", "wait for this issue; may be repeated", collectNumbers)
    .action((options) => addNewIssue(deps(), options));

  issue
    .command("import")
    .description("add the issues of a file; importing the same file again adds only new issues")
    .argument("<file>", 'Markdown with a "# " heading per issue, or a JSON array; - is stdin')
    .option("--json", "print JSON: the issues that were added")
    .action((file, options) => importIssues(deps(), file, options))
    .addHelpText(
      "after",
      `
A JSON array holds objects like {"title": "…", "body": "…", "labels": ["backlog"], "depends_on": [7]}.
In Markdown, the text below a heading is the issue's body, with its dependencies ("depends on #7").`,
    );
}

function addReading(issue: Words[0], { deps }: Words[1]): void {
  issue
    .command("list")
    .description("list the issues of this project")
    .addOption(stateOption())
    .option("--label <label>", "only issues with this label")
    .option("--limit <count>", `rows per page (default: ${ISSUE_ROWS})`, positiveCount)
    .option(
      "--after <number>",
      "show the next page: pass the value that the previous page printed",
      issueNumber,
    )
    .option("--all", "list all, without pages")
    .option("--json", "print JSON with all fields")
    .action((options) => listIssues(deps(), options));

  issue
    .command("show")
    .description("show an issue with its comments")
    .argument("<number>", "its number", issueNumber)
    .option("--json", "print JSON with all fields")
    .action((number, options) => showIssue(deps(), number, options));

  issue
    .command("deps")
    .description("show dependencies between issues, and dependency cycles")
    .argument("[number]", "show only what this issue waits for; - reads the text from stdin")
    .option("--json", "print JSON with all fields")
    .action((number, options) =>
      number === "-"
        ? showNamed(deps(), options)
        : showDependencies(deps(), number === undefined ? number : issueNumber(number), options),
    );
}

function addChanging(issue: Words[0], { deps }: Words[1]): void {
  issue
    .command("edit")
    .description("change an issue")
    .argument("<number>", "its number", issueNumber)
    .option("--title <title>", "the new title")
    .option("--body <text>", "the new description")
    .option("--body-file <file>", "read it from a file, or from stdin with -")
    .option("--add-label <label>", "may be repeated", collect)
    .option("--remove-label <label>", "may be repeated", collect)
    .action((number, options) => editIssue(deps(), number, options));

  issue
    .command("comment")
    .description("comment on an issue or a PR")
    .argument("<number>", "its number", issueNumber)
    .option("--body <text>", "the text")
    .option("--body-file <file>", "read it from a file, or from stdin with -")
    .action((number, options) => commentIssue(deps(), number, options));

  for (const [verb, state] of [
    ["close", "closed"],
    ["reopen", "open"],
  ] as const) {
    issue
      .command(verb)
      .description(`${verb} an issue`)
      .argument("<number>", "its number", issueNumber)
      .action((number) => setIssueState(deps(), number, state));
  }
}
