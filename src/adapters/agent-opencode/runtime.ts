// The runtime `opencode` as data: opencode, what it may do, and how it is tried.
import type { Runtime } from "../../ports/runtime.ts";
import { settingsOf } from "../shared/settings.ts";

/** The one that test/agents runs. */
export const VERSION = "1.18.33";

export const SETTINGS = {
  permissions: {
    kind: "choice",
    choices: ["workspace", "ask", "everything"],
    assumed: "workspace",
    meaning:
      "workspace: its tools may not leave the workspace. ask: the same, and Pawl asks you before every command and change. everything: nothing is refused.",
  },
  model: {
    kind: "model",
    meaning: "A provider and a model of it, as in anthropic/claude-opus-4-5.",
  },
} as const;

const MODEL = "claude-sonnet-4-5";

const demoConfig = (stub: string): string =>
  JSON.stringify({
    model: `anthropic/${MODEL}`,
    small_model: `anthropic/${MODEL}`,
    autoupdate: false,
    share: "disabled",
    // For undoing at its screen: four gits at every step.
    snapshot: false,
    provider: {
      anthropic: {
        options: { baseURL: `${stub}/v1`, apiKey: "stub" },
        models: { [MODEL]: { name: "stub" } },
      },
    },
  });

export const opencode: Runtime = {
  name: "opencode",
  tested: VERSION,
  title: "opencode",
  worksInWalls: true,
  program: "opencode",
  homeVariable: "XDG_DATA_HOME",
  guide: "docs/opencode.md",
  settings: SETTINGS,
  instructions: ["AGENTS.md"],
  describe: (agent) => {
    const program = agent.command.length === 0 ? "opencode" : agent.command.join(" ");
    const { permissions } = settingsOf(SETTINGS, agent);
    return `opencode (${program}), ${agent.model ?? "its default model"}, permissions ${permissions}`;
  },
  abilities: {
    acknowledges: { yes: "by its protocol" },
    midTurn: { yes: "joins the turn" },
    interrupt: { yes: "Ctrl-C on the transcript; Escape twice on its own screen" },
    permissions: { yes: "the workspace; everything else is refused, or asks you" },
    questions: { yes: "asks you, with its choices" },
    limits: { yes: "after three tries of its own" },
    usage: { yes: "tokens and money, after each step" },
    context: { yes: "live" },
    resumes: { yes: "the same session of its server" },
    terminal: { yes: "a transcript; its own screen when you attach" },
  },
  demo: {
    opening: "The agents are your opencode; a stub on this machine answers instead of a model.",
    install: "npm install -g opencode-ai",
    env: ({ home }) => ({
      OPENCODE_CONFIG: `${home}/opencode.json`,
      OPENCODE_DISABLE_MODELS_FETCH: "1",
      XDG_CONFIG_HOME: `${home}/xdg`,
      XDG_DATA_HOME: `${home}/data`,
    }),
    files: ({ stub }) => ({ "opencode.json": demoConfig(stub) }),
  },
  load: async () => (await import("./opencode-agent.ts")).createOpencodeAgent(),
};
