// `pawl ci list|status|logs|failures`: what CI said of each run's branch.
import type { CheckLogsView, CheckView, GateView } from "../../api/checks.ts";
import { plainSpans } from "../../api/spans.ts";
import type { AddCommand, Finish } from "../command.ts";
import { EXIT, type Deps, type ExitCode } from "../deps.ts";
import { ciText, gateText, stateText } from "../output/check.ts";
import { printJson, printRows, type Column } from "../output/rows.ts";
import { programText } from "../output/terminal-text.ts";
import { harmless, paint, when } from "../output/text.ts";
import { wrapped } from "../output/wrap.ts";

const EXAMPLES = `
Examples:
  pawl ci list
  pawl ci status 7          exits 0 when passed, 1 when failed, 8 when not finished
  pawl ci logs 7 --gate test
  pawl ci failures pawl/7-fix-the-parser

REF is the number of an issue or PR, or a branch.`;

type Json = { json?: true | undefined };

export const addCi: AddCommand = (program, { deps, finish }) => {
  const ci = program
    .command("ci")
    .description("show CI checks: list, status, logs, failures")
    .addHelpText("after", EXAMPLES);
  ci.command("list")
    .description("list the last check of every run")
    .option("--json", "print JSON with all fields")
    .action((options) => listChecks(deps(), options));
  ci.command("status")
    .description("show the last check, gate by gate; the exit code is its result")
    .argument("<ref>", "an issue, a PR or a branch")
    .option("--json", "print JSON with all fields")
    .action((ref, options) => showCheck(deps(), ref, { ...options, finish }));
  ci.command("logs")
    .description("show the output of the gates")
    .argument("<ref>", "an issue, a PR or a branch")
    .option("--gate <name>", "only this gate")
    .option("--json", "print JSON with all fields")
    .action((ref, options) => showLogs(deps(), ref, options));
  ci.command("failures")
    .description("show what failed, with its exit code and the end of its log")
    .argument("<ref>", "an issue, a PR or a branch")
    .option("--json", "print JSON with all fields")
    .action((ref, options) => showFailures(deps(), ref, options));
};

async function listChecks(deps: Deps, options: Json): Promise<void> {
  const checks = await deps.client.get<CheckView[]>("/v1/checks");
  const empty = "nothing has been checked yet";
  printRows(deps, checks, { columns: listColumns(deps), json: options.json, empty });
}

const listColumns = (deps: Deps): Column<CheckView>[] => [
  { title: "issue", tty: ({ issue }) => `#${issue}`, pipe: ({ issue }) => String(issue) },
  { title: "branch", tty: ({ branch }) => branch, widthMin: 15 },
  { title: "head", tty: ({ head }) => head?.slice(0, 10) ?? "", pipe: ({ head }) => head ?? "" },
  {
    title: "state",
    tty: (check) => stateText(deps, check),
    pipe: ({ state, flaky }) => (flaky ? `${state} (flaky)` : state),
  },
  { title: "failed", tty: (check) => check.failed ?? "" },
  {
    title: "finished",
    tty: (check) => (check.finished_at === null ? "" : when(deps, check.finished_at)),
  },
];

const checkOf = (deps: Deps, ref: string): Promise<CheckView> =>
  deps.client.get(`/v1/checks/${encodeURIComponent(ref)}`);

async function showCheck(
  deps: Deps,
  ref: string,
  options: Json & { finish: Finish },
): Promise<void> {
  const check = await checkOf(deps, ref);
  options.finish(exitCodeOf(check.state));
  if (options.json === true) {
    printJson(deps, check);
    return;
  }
  deps.stderr(`${headline(deps, check)}\n`);
  if (check.gates.length > 0) {
    printRows(deps, check.gates, { columns: gateColumns(deps), json: undefined, empty: "" });
  }
}

function exitCodeOf(state: CheckView["state"]): ExitCode {
  if (state === "passed") return EXIT.ok;
  return state === "none" || state === "running" ? EXIT.pending : EXIT.failed;
}

function headline(deps: Deps, check: CheckView): string {
  const notes = [
    ...(check.flaky ? ["passed on the second try (flaky)"] : []),
    ...(check.remembered ? ["known from an earlier run on the same files"] : []),
    ...(check.message === null ? [] : [plainSpans(harmless(check.message))]),
  ];
  const about = `CI of ${check.issue === null ? check.run : `#${check.issue}`} (${check.branch}): `;
  return `${about}${ciText(deps, check.state)}${notes.length === 0 ? "" : `; ${notes.join("; ")}`}`;
}

const gateColumns = (deps: Deps): Column<GateView>[] => [
  { title: "gate", tty: ({ gate }) => gate },
  {
    title: "result",
    tty: (gate) => paint(deps, gate.passed ? "green" : "red", gateText(gate)),
    pipe: (gate) => gateText(gate),
  },
  { title: "log", tty: (gate) => gate.log_file },
];

async function showLogs(
  deps: Deps,
  ref: string,
  options: Json & { gate?: string | undefined },
): Promise<void> {
  const query = options.gate === undefined ? "" : `?gate=${encodeURIComponent(options.gate)}`;
  const path = `/v1/checks/${encodeURIComponent(ref)}/logs${query}`;
  const logs = await deps.client.get<CheckLogsView>(path);
  if (options.json === true) {
    printJson(deps, logs);
    return;
  }
  if (logs.length === 0) deps.stderr(`nothing has run for ${ref} yet\n`);
  for (const { gate, text } of logs) {
    // The name goes to stderr: what is piped is the log and nothing else.
    const nothing = text === "" ? " (it printed nothing)" : "";
    deps.stderr(`${paint(deps, "bold", `── ${gate}`)}${nothing}\n`);
    deps.stdout(ended(programText(deps, text)));
  }
}

async function showFailures(deps: Deps, ref: string, options: Json): Promise<void> {
  const check = await checkOf(deps, ref);
  const failures = check.gates.filter((gate) => !gate.passed);
  if (options.json === true) {
    printJson(deps, failures);
    return;
  }
  if (failures.length === 0) deps.stderr(`${headline(deps, check)}; no failures\n`);
  for (const gate of failures) {
    deps.stdout(wrapped(deps, `${paint(deps, "red", `${gate.gate} ${gateText(gate)}`)}\n`));
    deps.stdout(ended(programText(deps, gate.log_tail)));
    if (gate.log_tail.trim() === "") deps.stderr("it printed nothing\n");
  }
}

const ended = (text: string): string => (text === "" || text.endsWith("\n") ? text : `${text}\n`);
