// Writes the pawl.toml that `pawl init` leaves behind: what was found, with its reason, and the
// settings people look for next, commented out. What it writes always parses.
import { RUNTIMES, runtimeNamed } from "../adapters/runtimes.ts";
import type { Draft } from "./detect.ts";
import type { TestCommand } from "./test-commands.ts";
import type { ToolsInside } from "./toolchains.ts";

export type RenderedAgent = { runtime: string; command?: string[] };

/** The forge behind the remote. */
export type RenderedForge = {
  kind: "gitea" | "github";
  url: string;
  repo: string;
  /** Otherwise it is written as a comment. */
  isReady: boolean;
};

/** Whether there will be walls; `fix`: what would help. */
export type RenderedIsolation =
  | ({ mode: "bwrap" } & Partial<ToolsInside>)
  | { mode: "none"; why: string; fix?: string };

/** What the user chose over the draft's first guess. */
export type Choices = {
  agent?: RenderedAgent;
  /** `none`: the user stated that there is nothing to check. */
  ci?: TestCommand | "none";
  /** What was found out, not chosen. */
  isolation?: RenderedIsolation;
};

export function renderConfig(draft: Draft, choices: Choices = {}, forge?: RenderedForge): string {
  const agent = chosenAgent(draft, choices);
  const ci = choices.ci ?? draft.testCommands[0];
  return [
    "# Pawl's settings for this project. Commit them: those on the target count.",
    "",
    "[project]",
    `name = ${quote(draft.name)}`,
    `target = ${quote(draft.target)}`,
    "parallel = 3            # issues worked on at once",
    "",
    ...renderAgent(agent, draft.agents),
    "",
    ...renderCi(ci, draft.testCommands),
    "",
    ...renderForge(forge),
    "[review]",
    "required = false        # true: nothing lands without an approving review",
    "",
    ...renderProtected(ci),
    "# [merge]",
    forge?.isReady === true
      ? '# strategy = "merge"    # the default; or "rebase", "squash"'
      : '# strategy = "rebase"   # the default; or "merge", "squash"',
    "",
    ...renderIsolation(choices.isolation ?? { mode: "none", why: "" }),
    "# [workspace]",
    '# setup = "npm ci"      # in each new workspace, before the agent starts',
    '# copy = [".env"]       # ignored files that agents need',
    "",
    ...ROLES,
  ].join("\n");
}

/** The whole factory, one uncomment away. */
const ROLES = [
  "# The other roles. The dev role works on issues labelled `backlog`, and the",
  "# action role on those labelled `action`: both are on. See docs/roles.md.",
  "# For the review role, write role = true into [review] above.",
  "#",
  "# [schedule.gardener]     # grooms the backlog",
  '# cron = "0 5,17 * * *"',
  '# role = "gardener"',
  "#",
  "# [schedule.supervisor]   # looks after machine and factory",
  '# every = "20 min"',
  '# role = "supervisor"',
  "#",
  "# [schedule.predictor]    # files predictions, for the planner to triage",
  '# cron = "0 6 * * *"',
  '# role = "predictor"',
  "#",
  "# [schedule.planner]      # plans from VISION.md",
  '# cron = "0 7 * * 1"',
  '# role = "planner"',
  "#",
  "# [vault]                 # dangerous actions wait for `pawl vault approve`",
  '# expires = "7 d"',
  "",
];

/** The same whether it was picked or taken: by its own runtime where Pawl has one. */
export function foundAgent(program: string): RenderedAgent {
  const runtime = RUNTIMES.find((one) => one.program === program);
  return runtime === undefined
    ? { runtime: "command", command: [program] }
    : { runtime: runtime.name };
}

export const chosenAgent = (draft: Draft, { agent }: Choices): RenderedAgent =>
  agent ?? defaultAgent(draft.agents);

const defaultAgent = (found: string[]): RenderedAgent =>
  found.map(foundAgent).find(({ command }) => command === undefined) ?? { runtime: "script" };

/** Written out, so that the file says what holds: without the section there are no walls. */
function renderIsolation(isolation: RenderedIsolation): string[] {
  const why = isolation.mode === "bwrap" || isolation.why === "" ? "" : `: ${isolation.why}`;
  return [
    "[isolation]             # the walls around agents, see docs/security.md",
    isolation.mode === "bwrap"
      ? 'mode = "bwrap"          # read-only system, private home, own workspace'
      : `mode = "none"           # agents have all rights of your user${why}`,
    // With either of them a set-up such as `npm ci` would find no registry.
    '# network = "open"      # or "hosts", "none"; see docs/network.md first',
    ...renderTools(isolation),
    "",
  ];
}

/** Hosts count only with another network, so they are a suggestion. */
function renderTools(isolation: RenderedIsolation): string[] {
  const { read = [], hosts = [] } = isolation.mode === "bwrap" ? isolation : {};
  const list = (texts: string[]): string => `[${texts.map(quote).join(", ")}]`;
  return [
    ...(hosts.length === 0 ? [] : [`# hosts = ${list(hosts)}`]),
    ...(read.length === 0
      ? ['# read = ["~/.rustup"]  # what else agents may read']
      : [`read = ${list(read)}  # toolchains in your home`]),
  ];
}

function renderForge(forge: RenderedForge | undefined): string[] {
  if (forge === undefined) return [];
  const mark = forge.isReady ? "" : "# ";
  return [
    `${mark}[forge]                 # the token is FORGE_TOKEN in the environment`,
    `${mark}kind = ${quote(forge.kind)}`,
    `${mark}url = ${quote(forge.url)}`,
    `${mark}repo = ${quote(forge.repo)}`,
    `# operators = [${quote(forge.repo.split("/")[0] ?? "")}]  # whom Pawl asks; default: the owner`,
    "",
  ];
}

function renderAgent(agent: RenderedAgent, found: string[]): string[] {
  const runtime = `runtime = ${quote(agent.runtime)}`;
  const { program, guide } = runtimeNamed(agent.runtime) ?? {};
  const isKnown = program !== undefined && guide !== undefined;
  const lines = [
    "[agent]",
    isKnown ? `${runtime.padEnd(23)} # see ${guide} for what it may do` : runtime,
  ];
  if (agent.command !== undefined) lines.push(`command = ${list(agent.command)}`);
  if (agent.runtime === "script") {
    lines.push("# It runs the ```sh block of an issue, without a model. To use a model instead:");
    lines.push(`# runtime = ${quote(withModel(found))}`);
  }
  lines.push('# pass_env = ["LANG"]   # your environment variables that agents may see');
  return lines;
}

/** One that was found, else the first that Pawl knows. */
const withModel = (found: string[]): string =>
  RUNTIMES.find(({ program }) => program !== undefined && found.includes(program))?.name ??
  RUNTIMES.find(({ program }) => program !== undefined)?.name ??
  "command";

function renderCi(ci: TestCommand | "none" | undefined, guesses: TestCommand[]): string[] {
  if (ci === "none") return ["[ci]", "none = true             # everything counts as passed"];
  if (ci === undefined) {
    return [
      "[ci]",
      "# Pawl found no way to run the tests. Until you write one, every check fails.",
      "# If there is nothing to check, write none = true instead.",
      `command = ${quote("echo 'write your tests into [ci] command in pawl.toml' >&2; exit 1")}`,
    ];
  }
  const others = guesses.filter(({ command }) => command !== ci.command);
  return [
    "[ci]",
    `command = ${quote(ci.command)}  # from ${ci.from}`,
    ...others.map(({ command, from }) => `# command = ${quote(command)}  # from ${from}`),
    ...(ci.setup === undefined ? [] : [`setup = ${quote(ci.setup)}`]),
    ...(ci.keep.length === 0 ? [] : [`keep = ${list(ci.keep)}  # kept between checkouts`]),
    '# timeout = "30 min"',
  ];
}

/** Where the command is written down: a change of it is a change of the gate. */
const DEFINES_THE_GATE = ["package.json", "Makefile", "makefile", "GNUmakefile"];

function renderProtected(ci: TestCommand | "none" | undefined): string[] {
  if (ci === "none" || ci === undefined) return [];
  const isNamed = ci.command.split(/\s+/).includes(ci.from);
  if (!isNamed && !DEFINES_THE_GATE.includes(ci.from)) return [];
  return [
    "[merge_queue]",
    `protected = ${list([ci.from])}  # changes of it need \`pawl merge-queue approve\``,
    "",
  ];
}

/** A basic string of TOML; JSON's escapes are a part of TOML's. */
const quote = (text: string): string => JSON.stringify(text).replaceAll("\u007f", "\\u007f");

const list = (items: string[]): string => `[${items.map(quote).join(", ")}]`;
