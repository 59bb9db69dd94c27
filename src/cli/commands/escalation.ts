// `pawl escalation list|show|answer`: questions that only a person can answer.
import { isOfBudget } from "../../api/budget-question.ts";
import type { EscalationView, EscalationWithLogView } from "../../api/escalations.ts";
import type { RunView } from "../../api/runs.ts";
import type { AddCommand } from "../command.ts";
import type { Deps } from "../deps.ts";
import { plainSpans, spanText, withRelativeTimes } from "../../api/spans.ts";
import { printDocument } from "../output/document.ts";
import { printJson, printRows, type Column } from "../output/rows.ts";
import { harmless, when } from "../output/text.ts";
import { allProjects, bodyFrom, usage, oldAll } from "../options.ts";
import { sayKept } from "../output/say-kept.ts";
import { shownRef, typedRef } from "../output/shown-ref.ts";

const EXAMPLES = `
Examples:
  pawl escalation list
  pawl escalation show 7
  pawl escalation answer 7 "Use the second form."
  pawl escalation answer gate:release.1.ask "close: looks good"
  pawl escalation answer target "check again"
  pawl escalation answer set-up "try again"
  pawl escalation answer budget "allow as much again today"
  pawl escalation answer 7 --body-file answer.md`;

type Json = { json?: true | undefined };

export const addEscalation: AddCommand = (program, { deps }) => {
  const escalation = program
    .command("escalation")
    .description("list, show and answer questions that need a person")
    .addHelpText("after", EXAMPLES);
  escalation
    .command("list")
    .description("list the questions that wait for an answer")
    .addOption(allProjects())
    .addOption(oldAll())
    .option("--json", "print JSON with all fields")
    .action((options) => listEscalations(deps(), options));
  escalation
    .command("show")
    .description("show a question, with the end of the agent's terminal")
    .argument("<ref>", "an issue, a PR, a run, an identity, gate:ID, target, set-up or budget")
    .option("--json", "print JSON with all fields")
    .action((ref, options) => showEscalation(deps(), ref, options));
  escalation
    .command("answer")
    .description("answer a question; the run continues")
    .argument("<ref>", "an issue, a PR, a run, an identity, gate:ID, target, set-up or budget")
    .argument("[text]", "the answer")
    .option("--body-file <file>", "read it from a file, or from stdin with -")
    .option("--since <time>", "refuse if the run asks something else now (`since` of list --json)")
    .action((ref, text, options) => answer(deps(), ref, { body: text, ...options }));
};

async function listEscalations(
  deps: Deps,
  options: Json & { all?: true | undefined },
): Promise<void> {
  const path = options.all === true ? "/v1/escalations?all=true" : "/v1/escalations";
  const escalations = await deps.client.get<EscalationView[]>(path);
  const empty = "nothing waits for an answer";
  const whole = { question: "`pawl escalation show ISSUE` shows the whole question" };
  const shown = columns(deps, options.all === true);
  printRows(deps, escalations, { columns: shown, json: options.json, empty, whole });
}

const columns = (deps: Deps, isAll: boolean): Column<EscalationView>[] => [
  { title: "issue", tty: shownRef, pipe: ({ issue, identity }) => String(issue ?? identity) },
  { title: "title", tty: (one) => harmless(one.title), pipe: (one) => one.title, widthMin: 15 },
  {
    title: "question",
    tty: (one) => questionText(deps, one),
    pipe: (one) => one.reason,
    widthMin: 20,
  },
  { title: "asked", tty: ({ since }) => when(deps, since) },
  { title: "deadline", tty: (one) => until(deps, one), pipe: ({ deadline }) => deadline ?? "" },
  {
    title: "project",
    tty: ({ project }) => (isAll ? project : ""),
    pipe: ({ project }) => project,
  },
];

const questionText = (deps: Deps, one: EscalationView): string =>
  isOfBudget(one) ? withRelativeTimes(one.reason, deps.now()) : plainSpans(harmless(one.reason));

const until = (deps: Deps, { deadline }: EscalationView): string =>
  deadline === null ? "" : deps.isTty ? left(deps, deadline) : deadline;

/** As `pawl why` tells it: a day that has just begun is no 23 hours. */
function left(deps: Deps, deadline: string): string {
  const ms = Date.parse(deadline) - deps.now();
  return ms > 0 ? `in ${spanText(ms)}` : "now";
}

/** Questions of a project: its gate fails on the target, workspaces cannot be set up, a budget is spent. */
const OF_PROJECT = ["target", "set-up", "budget"];
const isOfProject = ({ run, identity }: EscalationView): boolean =>
  run === null && OF_PROJECT.includes(identity);

/** A gate asks, or a run. */
const gateIn = (ref: string): string | undefined => /^gate:(?<id>.+)$/.exec(ref)?.groups?.["id"];

async function showEscalation(deps: Deps, ref: string, options: Json): Promise<void> {
  const gate = gateIn(ref);
  const path =
    gate === undefined
      ? `/v1/escalations/${encodeURIComponent(ref)}`
      : `/v1/escalations/gate/${encodeURIComponent(gate)}`;
  const one = await deps.client.get<EscalationWithLogView>(path);
  if (options.json === true) {
    printJson(deps, one);
    return;
  }
  printDocument(deps, {
    title: deps.isTty && !isOfProject(one) ? `${shownRef(one)} ${one.title}` : one.title,
    facts: [
      ...(deps.isTty ? [] : [{ name: "issue", value: String(one.issue ?? "") }]),
      { name: "question", value: deps.isTty ? questionText(deps, one) : one.reason },
      { name: "since", value: when(deps, one.since) },
      { name: "deadline", value: until(deps, one) },
      // People read in the command below who asks, where no agent does.
      {
        name: one.run === null ? "asks" : "agent",
        value: deps.isTty && isOfProject(one) ? "" : askerOf(one),
      },
      { name: "branch", value: one.branch ?? "" },
      { name: "pr", value: String(one.pr ?? "") },
      { name: "choices", value: one.choices.join(", ") },
    ],
    // Of a project, nothing else shows the rest.
    text: deps.isTty && !isOfProject(one) ? endOf(one.log) : one.log,
    isVerbatim: true,
    said: [],
  });
  deps.stderr(
    one.command === undefined
      ? `\nanswer with:\n${answerCommands(one)}`
      : `\nresolve it with: ${one.command}\n`,
  );
}

/** For a run, an answer with this `--since` answers only the question that was just shown. */
/** A project's question is answered with one of the choices, word for word. */
function answerCommands(one: EscalationView): string {
  const { identity, choices } = one;
  const commands =
    !isOfProject(one) || choices.length === 0
      ? [answerCommand(one)]
      : choices.map((choice) => `pawl escalation answer ${identity} "${choice}"`);
  return commands.map((command) => `  ${command}\n`).join("");
}

function answerCommand({ issue, identity, run, since }: EscalationView): string {
  const command = `pawl escalation answer ${issue ?? identity} "…"`;
  return run === null ? command : `${command} --since ${since}`;
}

/** The question stays on the screen; `pawl logs` shows the rest. */
const LINES_SHOWN = 12;

function endOf(log: string): string {
  const lines = log.trimEnd().split("\n");
  return lines.length <= LINES_SHOWN ? log : `…\n${lines.slice(-LINES_SHOWN).join("\n")}`;
}

function askerOf({ identity, run, alive, starting }: EscalationView): string {
  if (run === null) return identity;
  if (starting === true) return `${identity} (starting)`;
  return `${identity} ${alive ? "(alive)" : "(ended)"}`;
}

async function answer(
  deps: Deps,
  ref: string,
  options: {
    body: string | undefined;
    bodyFile?: string | undefined;
    since?: string | undefined;
  },
): Promise<void> {
  const text = await bodyFrom(deps, options);
  if (text === undefined || text.trim() === "") {
    throw usage(`cannot answer ${ref}: the answer is empty`, "give the answer, or --body-file");
  }
  const path = answerPath(ref);
  const now = await deps.client.post<object>(path, { by: deps.user, text, ...sinceOf(options) });
  deps.stderr(`answered ${typedRef(ref)}; ${whatFollows(ref, await deps.client.daemonRuns())}\n`);
  if ("kept_settings" in now) sayKept(deps, now as RunView);
}

const sinceOf = ({ since }: { since?: string | undefined }): { since?: string } =>
  since === undefined ? {} : { since };

function whatFollows(ref: string, hasDaemon: boolean): string {
  if (!hasDaemon) return "work continues when a daemon runs: `pawl up` or `pawl run`";
  const isOfRun = !OF_PROJECT.includes(ref) && gateIn(ref) === undefined;
  return isOfRun ? `it continues: \`pawl logs ${ref} --follow\`` : "see `pawl status`";
}

function answerPath(ref: string): string {
  if (OF_PROJECT.includes(ref)) return `/v1/escalations/${ref}/answer`;
  const gate = gateIn(ref);
  return gate === undefined
    ? `/v1/runs/${encodeURIComponent(ref)}/answer`
    : `/v1/escalations/gate/${encodeURIComponent(gate)}/answer`;
}
