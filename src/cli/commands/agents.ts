// `pawl agents`: identities, whether they live, and where they work.
import { Option } from "@commander-js/extra-typings";
import type { AgentView } from "../../api/agents.ts";
import type { AddCommand } from "../command.ts";
import type { Deps } from "../deps.ts";
import { oldAll } from "../options.ts";
import { printRows, type Column } from "../output/rows.ts";
import { paint, when } from "../output/text.ts";

const EXAMPLES = `
Examples:
  pawl agents
  pawl agents dev-42
  pawl agents --json | jq -r '.[] | select(.status == "active") | .pid'

With the name of an agent, all its lives are listed; with the id of a session (as in
predecessor_id), that one life. Without --include-ended, only agents whose run has not ended are
listed, of all projects; the daemon is the first of them. Liveness: green if seen within 2 minutes
(not shown in the table), yellow within 5, red if longer ago, or gone. [limits] stale changes these
times.`;

type Flag = true | undefined;
type AgentsOptions = {
  name?: string | undefined;
  all?: Flag;
  stale?: Flag;
  orphan?: Flag;
  json?: Flag;
};

export const addAgents: AddCommand = (program, { deps }) => {
  program
    .command("agents")
    .description("list the agents of all projects and whether they are running")
    .argument("[name]", "only this identity (dev-42), or this session of one (dev-42-1@project)")
    .addOption(
      new Option("--include-ended", "also agents of the last 1,000 runs that have ended").implies({
        all: true,
      }),
    )
    .addOption(oldAll())
    .option("--stale", "only agents that count as active but were not seen for a long time")
    .option("--orphan", "only sessions without a run, and agents whose process is gone")
    .option("--json", "print JSON with all fields")
    .action((name, options) => listAgents(deps(), { ...options, name }))
    .addHelpText("after", EXAMPLES);
};

async function listAgents(deps: Deps, options: AgentsOptions): Promise<void> {
  const agents = await deps.client.get<AgentView[]>(`/v1/agents${queryOf(options)}`);
  const wanted = agents.filter((agent) => isWanted(agent, options));
  const empty = emptyNote(options);
  printRows(deps, wanted, { columns: columns(deps), json: options.json, empty });
}

function queryOf({ orphan, name, all }: AgentsOptions): string {
  if (orphan === true) return "?orphan=true";
  if (name !== undefined) return "?lives=true";
  return all === true ? "?all=true" : "";
}

function isWanted(agent: AgentView, options: AgentsOptions): boolean {
  const { name } = options;
  if (name !== undefined && agent.identity !== name && agent.session_id !== name) return false;
  if (options.stale === true) return agent.status === "active" && agent.liveness === "red";
  return name !== undefined || options.all === true || agent.stage !== "ended";
}

function emptyNote({ name, all, stale, orphan }: AgentsOptions): string {
  if (orphan === true) return "every session and process belongs to a run";
  if (stale === true) return "no agent is stale";
  if (name !== undefined)
    return `there is no agent named ${name}; \`pawl agents --include-ended\` lists them`;
  return all === true ? "no agents yet" : "no agents at work; --include-ended shows past ones";
}

/** `~/src`, as a shell takes it. */
function fromHome({ env }: Deps, path: string): string {
  const home = env["HOME"] ?? "";
  return home !== "" && path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}

const COLOURS = { green: "green", yellow: "yellow", red: "red" } as const;

const columns = (deps: Deps): Column<AgentView>[] => [
  { title: "agent", tty: ({ identity }) => identity },
  { title: "project", tty: ({ project }) => project },
  { title: "status", tty: ({ status }) => status },
  {
    title: "liveness",
    // Of an agent that ended, the status says all; an active one is green unless something is wrong.
    tty: ({ liveness, status }) =>
      liveness === "green" || status !== "active" ? "" : paint(deps, COLOURS[liveness], liveness),
    pipe: ({ liveness }) => liveness,
  },
  { title: "stage", tty: ({ stage }) => stage },
  { title: "epoch", tty: ({ epoch }) => String(epoch), align: "right", drop: 4 },
  { title: "pid", tty: ({ pid }) => String(pid ?? ""), align: "right", drop: 3 },
  { title: "session", tty: (agent) => agent.tmux_session ?? "", drop: 1 },
  { title: "seen", tty: (agent) => when(deps, agent.last_seen) },
  {
    title: "workspace",
    // Whole or not at all: half of a path cannot be used.
    tty: (agent) => fromHome(deps, agent.worktree_path),
    pipe: (agent) => agent.worktree_path,
    drop: 6,
  },
  { title: "program", tty: ({ agent }) => agent ?? "", drop: 5 },
];
