// The runtime `codex` as data: OpenAI's Codex, what it may do, and how it is tried.
import type { Runtime } from "../../ports/runtime.ts";
import { settingsOf } from "../shared/settings.ts";

export const SETTINGS = {
  sandbox: {
    kind: "choice",
    choices: ["workspace-write", "read-only", "danger-full-access"],
    assumed: "workspace-write",
    meaning:
      "What its commands may change. workspace-write: the workspace and temporary files. read-only: nothing. danger-full-access: everything; use it only in a container or a virtual machine.",
  },
  network: {
    kind: "choice",
    choices: ["off", "on"],
    assumed: "off",
    meaning: "Whether its commands have a network, if the sandbox is workspace-write.",
  },
  approval: {
    kind: "choice",
    choices: ["never", "on-request", "untrusted"],
    assumed: "never",
    meaning:
      "never: what the sandbox does not allow is refused. on-request: Pawl asks you when Codex wants more than that. untrusted: Pawl asks you before every command that may change something.",
  },
  writable: {
    kind: "texts",
    assumed: [],
    meaning: "More folders that its commands may write to, by absolute paths.",
    example: ["/home/ada/.cache"],
  },
  model: { kind: "model", meaning: "The model of the thread." },
  args: {
    kind: "arguments",
    meaning: "More arguments for codex, before what Pawl adds.",
    example: ["-c", "model_reasoning_effort=high"],
  },
} as const;

const demoConfig = (stub: string): string => `model = "gpt-5.4"
model_provider = "stub"
[model_providers.stub]
name = "stub"
base_url = "${stub}/v1"
wire_api = "responses"
env_key = "STUB_KEY"
`;

export const codex: Runtime = {
  name: "codex",
  tested: "0.169.0",
  title: "Codex",
  worksInWalls: true,
  program: "codex",
  homeVariable: "CODEX_HOME",
  guide: "docs/codex.md",
  settings: SETTINGS,
  instructions: ["AGENTS.md"],
  describe: (agent) => {
    const program = agent.command.length === 0 ? "codex" : agent.command.join(" ");
    const { sandbox, approval } = settingsOf(SETTINGS, agent);
    const model = agent.model ?? "its default model";
    return `Codex (${program}), ${model}, sandbox ${sandbox}, approval ${approval}`;
  },
  abilities: {
    acknowledges: { yes: "by its protocol" },
    midTurn: { yes: "joins the turn" },
    interrupt: { yes: "Escape at the terminal" },
    permissions: { yes: "its own sandbox; everything else is refused, or asks you" },
    questions: { yes: "asks you, with its choices (in its plan mode, or with a feature of Codex)" },
    limits: { yes: "at once, with its end if Codex knows it" },
    usage: { yes: "tokens, live" },
    context: { yes: "live" },
    resumes: { yes: "thread/resume" },
    terminal: { yes: "its own screen" },
  },
  demo: {
    opening: "The agents are your Codex; a stub on this machine answers instead of a model.",
    install: "npm install -g @openai/codex",
    env: ({ home }) => ({ CODEX_HOME: `${home}/.codex`, STUB_KEY: "stub" }),
    files: ({ stub }) => ({ ".codex/config.toml": demoConfig(stub) }),
    // Codex makes no sandbox for a home among temporary files; the stub runs the demo's commands alone.
    settings: { sandbox: "danger-full-access" },
  },
  monitored: { command: (prompt) => `codex exec --full-auto ${prompt}` },
  load: async () => (await import("./codex-agent.ts")).createCodexAgent(),
};
