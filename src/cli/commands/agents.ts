// `pawl agents`: identities, whether they live, and where they work.
import type { AgentView } from "../../api/agents.ts";
import type { AddCommand } from "../command.ts";
import type { Deps } from "../deps.ts";
import { printRows, type Column } from "../output/rows.ts";
import { paint, when } from "../output/text.ts";

const EXAMPLES = `
Examples:
  pawl agents
  pawl agents --json | jq -r '.[] | select(.status == "active") | .pid'

Without --all only identities whose run is not over are listed, of all projects.`;

type AgentsOptions = { all?: true | undefined; json?: true | undefined };

export const addAgents: AddCommand = (program, { deps }) => {
  program
    .command("agents")
    .description("all identities and whether they live")
    .option("--all", "also those whose run is over")
    .option("--json", "as JSON, with all fields")
    .action((options) => listAgents(deps(), options))
    .addHelpText("after", EXAMPLES);
};

async function listAgents(deps: Deps, options: AgentsOptions): Promise<void> {
  const agents = await deps.client.get<AgentView[]>("/v1/agents");
  const wanted = options.all === true ? agents : agents.filter((one) => one.stage !== "ended");
  const empty = agents.length === 0 ? "no agents yet" : "no agents at work; --all shows past ones";
  printRows(deps, wanted, { columns: columns(deps), json: options.json, empty });
}

const COLOURS = { green: "green", yellow: "yellow", red: "red" } as const;

const columns = (deps: Deps): Column<AgentView>[] => [
  { title: "agent", tty: ({ identity }) => identity },
  { title: "project", tty: ({ project }) => project },
  { title: "status", tty: ({ status }) => status },
  {
    title: "liveness",
    tty: ({ liveness }) => paint(deps, COLOURS[liveness], liveness),
    pipe: ({ liveness }) => liveness,
  },
  { title: "stage", tty: ({ stage }) => stage },
  { title: "epoch", tty: ({ epoch }) => String(epoch), align: "right" },
  { title: "pid", tty: ({ pid }) => String(pid ?? ""), align: "right" },
  { title: "session", tty: (agent) => agent.tmux_session ?? "" },
  { title: "seen", tty: (agent) => when(deps, agent.last_seen) },
  {
    title: "workspace",
    tty: (agent) => agent.worktree_path,
    widthMin: 20,
  },
];
