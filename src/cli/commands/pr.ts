// `pawl pr list|show|review`.
import { Option } from "@commander-js/extra-typings";
import type { NewReviewRequest, PrView, PrWithReviewsView } from "../../api/prs.ts";
import type { AddCommand } from "../command.ts";
import type { Deps } from "../deps.ts";
import { ciText } from "../output/check.ts";
import { printDocument } from "../output/document.ts";
import { printJson, printRows, type Column } from "../output/rows.ts";
import { harmless, paint, when } from "../output/text.ts";
import { noteWhoActs } from "../output/who-acts.ts";
import { bodyFrom, issueNumber, usage, type BodyOptions } from "../options.ts";

const EXAMPLES = `
Examples:
  pawl pr list
  pawl pr review 9 --approve
  pawl pr review 9 --request-changes --body "The empty case is not tested."`;

export const addPr: AddCommand = (program, { deps }) => {
  const pr = program
    .command("pr")
    .description("list, show and review PRs")
    .addHelpText("after", EXAMPLES);
  pr.command("list")
    .description("list the PRs of this project")
    .addOption(
      new Option("--state <state>", "which state to list")
        .choices(["open", "all"] as const)
        .default("open" as const),
    )
    .option("--json", "print JSON with all fields")
    .action((options) => listPrs(deps(), options));
  pr.command("show")
    .description("show a PR with its CI result and reviews")
    .argument("<number>", "its number", issueNumber)
    .option("--json", "print JSON with all fields")
    .action((number, options) => showPr(deps(), number, options));
  pr.command("review")
    .description("approve a PR as it is now, or say what to change")
    .argument("<number>", "its number", issueNumber)
    .option("--approve", "approve it, so that it may land")
    .option("--request-changes", "send it back to its author with the text")
    .option("--body <text>", "the text")
    .option("--body-file <file>", "read it from a file, or from stdin with -")
    .action((number, options) => reviewPr(deps(), number, options));
};

async function listPrs(
  deps: Deps,
  options: { state: "open" | "all"; json?: true | undefined },
): Promise<void> {
  const prs = await deps.client.get<PrView[]>(`/v1/prs?state=${options.state}`);
  const empty = options.state === "all" ? "no PRs yet" : "no open PRs";
  printRows(deps, prs, { columns: columns(deps), json: options.json, empty });
}

const columns = (deps: Deps): Column<PrView>[] => [
  { title: "pr", tty: ({ number }) => `#${number}`, pipe: ({ number }) => String(number) },
  { title: "title", tty: (pr) => harmless(pr.title), pipe: (pr) => pr.title, widthMin: 20 },
  { title: "branch", tty: ({ branch }) => branch, widthMin: 15 },
  { title: "issue", tty: (pr) => hash(pr.issue), pipe: ({ issue }) => String(issue ?? "") },
  { title: "state", tty: (pr) => stateText(deps, pr), pipe: ({ state }) => state },
  { title: "ci", tty: ({ ci }) => ciText(deps, ci), pipe: ({ ci }) => ci },
  { title: "updated", tty: (pr) => when(deps, pr.updated_at) },
];

const hash = (number: number | null): string => (number === null ? "" : `#${number}`);

const STATES = { open: "green", merged: "magenta", closed: "red" } as const;
const stateText = (deps: Deps, { state }: PrView): string => paint(deps, STATES[state], state);

async function showPr(
  deps: Deps,
  number: number,
  options: { json?: true | undefined },
): Promise<void> {
  const pr = await deps.client.get<PrWithReviewsView>(`/v1/prs/${number}`);
  if (options.json === true) {
    printJson(deps, pr);
    return;
  }
  const failed = pr.check?.failed ?? null;
  printDocument(deps, {
    title: deps.isTty ? `#${pr.number} ${pr.title}` : pr.title,
    facts: [
      ...(deps.isTty ? [] : [{ name: "number", value: String(pr.number) }]),
      { name: "state", value: pr.state },
      { name: "branch", value: `${pr.branch} → ${pr.target}` },
      { name: "head", value: deps.isTty ? pr.head.slice(0, 10) : pr.head },
      { name: "issue", value: deps.isTty ? hash(pr.issue) : String(pr.issue ?? "") },
      { name: "ci", value: failed === null ? pr.ci : `${pr.ci} (${failed})` },
      { name: "merged as", value: pr.merged_as ?? "" },
      { name: "updated", value: when(deps, pr.updated_at) },
    ],
    text: pr.body,
    said: pr.reviews.map(({ author: by, verdict, head, body: text, created_at: at }) => {
      return { by, at, verb: `${VERBS[verdict]} ${head.slice(0, 10)}`, text };
    }),
  });
}

type Verdict = PrWithReviewsView["reviews"][number]["verdict"];
const VERBS: Record<Verdict, string> = {
  approve: "approved",
  "request-changes": "requested changes of",
  discuss: "discussed",
};

type ReviewOptions = BodyOptions & {
  approve?: true | undefined;
  requestChanges?: true | undefined;
};

async function reviewPr(deps: Deps, number: number, options: ReviewOptions): Promise<void> {
  if (options.approve === options.requestChanges) {
    throw usage(`cannot review #${number}: give either --approve or --request-changes`);
  }
  const verdict = options.approve === true ? "approve" : "request-changes";
  const body = (await bodyFrom(deps, options)) ?? "";
  if (verdict === "request-changes" && body.trim() === "") {
    throw usage(
      `cannot review #${number}: say what to change`,
      "give --body or --body-file; the author reads nothing else",
    );
  }
  const review: NewReviewRequest = { verdict, body, author: deps.user, key: deps.newKey() };
  const { head } = await deps.client.post<{ head: string }>(`/v1/prs/${number}/reviews`, review);
  deps.stderr(`${VERBS[verdict]} #${number} at ${head.slice(0, 10)}\n`);
  await noteWhoActs(deps);
}
