// `pawl context usage|report`: how full agents' contexts are, measured or guessed from symptoms.
import type { AgentView } from "../../api/agents.ts";
import type { AddCommand } from "../command.ts";
import type { Deps } from "../deps.ts";
import { printRows, type Column } from "../output/rows.ts";
import { usage } from "../options.ts";
import { spool } from "../own-session.ts";

const EXAMPLES = `
Examples:
  pawl context usage
  pawl context usage dev-7 --json
  pawl context report 72          for agents: your context is 72 % full`;

export const addContext: AddCommand = (program, { deps }) => {
  const context = program
    .command("context")
    .description("show how full agents' contexts are")
    .addHelpText("after", EXAMPLES);
  context
    .command("usage")
    .description("show how full the context of each running agent is")
    .argument("[ref]", "an identity, a run or an issue")
    .option("--json", "print JSON")
    .action((ref, options) => showUsage(deps(), ref, options));
  context
    .command("report", { hidden: true })
    .description("for agents: report how full your context is")
    .argument("<percent>", "0 to 100")
    .action((percent) => report(deps(), percent));
};

type Usage = {
  identity: string;
  project: string;
  session_id: string;
  percent: number | null;
  urgency: string;
  symptoms: string[];
};

async function showUsage(
  deps: Deps,
  ref: string | undefined,
  options: { json?: true | undefined },
): Promise<void> {
  const agents = await deps.client.get<AgentView[]>("/v1/agents");
  const wanted = agents.filter((agent) => agent.status === "active" && isMeant(agent, ref));
  const rows = wanted.flatMap(({ identity, project, session_id, context }): Usage[] =>
    context === null ? [] : [{ identity, project, session_id, ...context }],
  );
  printRows(deps, rows, { columns: COLUMNS, json: options.json, empty: "no agent is running" });
}

const isMeant = ({ identity, run, bead_id }: AgentView, ref: string | undefined): boolean =>
  ref === undefined || [identity, run, bead_id].includes(ref.replace(/^#/, ""));

const COLUMNS: Column<Usage>[] = [
  { title: "agent", tty: ({ identity }) => identity },
  { title: "project", tty: ({ project }) => project },
  {
    title: "context",
    tty: ({ percent }) => (percent === null ? "" : `${percent} %`),
    align: "right",
  },
  { title: "urgency", tty: ({ urgency }) => urgency },
  { title: "symptoms", tty: ({ symptoms }) => symptoms.join(" ") },
];

async function report(deps: Deps, text: string): Promise<void> {
  const percent = Number(text.replace(/%$/, ""));
  if (text.trim() === "" || !(percent >= 0 && percent <= 100)) {
    throw usage(`"${text}" is not a percentage`, "a number from 0 to 100");
  }
  await spool(deps, { kind: "context", percent });
}
