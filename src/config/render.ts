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

/** Whether there will be walls; `hint`: how the user gets them. */
export type RenderedIsolation =
  | ({ mode: "bwrap" } & Partial<ToolsInside>)
  | { mode: "none"; why: string; hint?: string };

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
  "# action role on those labelled `action`: both are on.",
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
  return [
    "[isolation]             # `pawl config explain isolation.mode` says more",
    ...(isolation.mode === "bwrap"
      ? ['mode = "bwrap"          # read-only system, private home, own workspace']
      : [
          'mode = "none"           # no walls: agents have all rights of your user',
          ...comment(withoutWalls(isolation)),
        ]),
    // With either of them a set-up such as `npm ci` would find no registry.
    "# `pawl config explain isolation.network` says what each of these lets through.",
    '# network = "open"      # or "hosts", "none"',
    ...renderTools(isolation),
    "",
  ];
}

const withoutWalls = ({ why, hint }: { why: string; hint?: string }): string =>
  [why, hint].flatMap((part) => (part ? [`${capital(part)}.`] : [])).join(" ");

/** Hosts count only with another network, so they are a suggestion. */
function renderTools(isolation: RenderedIsolation): string[] {
  const { read = [], hosts = [] } = isolation.mode === "bwrap" ? isolation : {};
  return [
    ...(hosts.length === 0 ? [] : listLines("# hosts", hosts)),
    ...(read.length === 0
      ? ['# read = ["~/.rustup"]  # what else agents may read']
      : ["# Toolchains in your home:", ...listLines("read", read)]),
  ];
}

function renderForge(forge: RenderedForge | undefined): string[] {
  if (forge === undefined) return [];
  const mark = forge.isReady ? "" : "# ";
  const [owner = ""] = forge.repo.split("/");
  return [
    `${mark}[forge]                 # the token is FORGE_TOKEN in the environment`,
    `${mark}kind = ${quote(forge.kind)}`,
    `${mark}url = ${quote(forge.url)}`,
    `${mark}repo = ${quote(forge.repo)}`,
    ...noted(`# operators = [${quote(owner)}]`, "whom Pawl asks; default: the owner"),
    "",
  ];
}

function renderAgent(agent: RenderedAgent, found: string[]): string[] {
  const runtime = `runtime = ${quote(agent.runtime)}`;
  const { program, guide } = runtimeNamed(agent.runtime) ?? {};
  const isKnown = program !== undefined && guide !== undefined;
  const lines = [
    "[agent]",
    isKnown ? `${runtime.padEnd(23)} # \`pawl status\` says what it may do` : runtime,
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
    ...noted(`command = ${quote(ci.command)}`, `from ${ci.from}`),
    ...others.flatMap(({ command, from }) =>
      noted(`# command = ${quote(command)}`, `from ${from}`),
    ),
    ...(ci.setup === undefined ? [] : [`setup = ${quote(ci.setup)}`]),
    ...(ci.keep.length === 0 ? [] : noted(`keep = ${list(ci.keep)}`, "kept between checkouts")),
    '# timeout = "30 min"',
  ];
}

/** Where the command is written down: a change of it is a change of the gate. */
const DEFINES_THE_GATE = ["package.json", "Makefile", "makefile", "GNUmakefile"];

/** The file that the gate command runs or is defined in. */
export function protectedFiles(ci: TestCommand | "none" | undefined): string[] {
  if (ci === "none" || ci === undefined) return [];
  const isNamed = ci.command.split(/\s+/).includes(ci.from);
  return isNamed || DEFINES_THE_GATE.includes(ci.from) ? [ci.from] : [];
}

function renderProtected(ci: TestCommand | "none" | undefined): string[] {
  const files = protectedFiles(ci);
  if (files.length === 0) return [];
  const note = "changes of it need `pawl merge-queue approve`";
  return ["[merge_queue]", ...noted(`protected = ${list(files)}`, note), ""];
}

/** A basic string of TOML; JSON's escapes are a part of TOML's. */
const quote = (text: string): string => JSON.stringify(text).replaceAll("\u007f", "\\u007f");

const list = (items: string[]): string => `[${items.map(quote).join(", ")}]`;

const LINE_MAX = 80;

/** In one line if it fits; `name` may begin with the sign of a comment. */
function listLines(name: string, items: string[]): string[] {
  const line = `${name} = ${list(items)}`;
  if (line.length <= LINE_MAX) return [line];
  const start = name.startsWith("# ") ? "# " : "";
  return [`${name} = [`, ...items.map((item) => `${start}  ${quote(item)},`), `${start}]`];
}

/** A setting with what is said about it: beside it if that fits, otherwise above it. */
function noted(setting: string, note: string): string[] {
  const line = `${setting}  # ${note}`;
  return line.length <= LINE_MAX ? [line] : [`# ${note}:`, setting];
}

/** Sentences as lines of a comment. */
function comment(text: string): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/).filter((one) => one !== "")) {
    const longer = `${lines.at(-1) ?? "#"} ${word}`;
    if (lines.length > 0 && longer.length <= LINE_MAX) lines[lines.length - 1] = longer;
    else lines.push(`# ${word}`);
  }
  return lines;
}

const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
