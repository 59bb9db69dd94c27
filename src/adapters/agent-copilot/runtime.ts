// The runtime `copilot` as data: GitHub Copilot CLI, driven through the Agent Client Protocol.
import type { Runtime } from "../../ports/runtime.ts";
import { settingsOf } from "../shared/settings.ts";

/** The one that test/agents runs. */
export const VERSION = "1.0.102";

export const SETTINGS = {
  permissions: {
    kind: "choice",
    choices: ["ask", "allow-all"],
    assumed: "ask",
    meaning: "ask asks you about tools that `allow` does not list; allow-all allows everything.",
  },
  allow: {
    kind: "texts",
    assumed: ["shell", "write"],
    meaning: "Passed as --allow-tool: what runs without a question.",
    example: ["shell(git:*)", "write"],
  },
  deny: {
    kind: "texts",
    assumed: [],
    meaning: "Passed as --deny-tool: what is never run.",
    example: ["shell(git push)"],
  },
  model: { kind: "model", meaning: "Passed as --model." },
  args: {
    kind: "arguments",
    meaning: "More arguments for copilot.",
    example: ["--no-custom-instructions"],
  },
} as const;

export const copilot: Runtime = {
  name: "copilot",
  tested: VERSION,
  title: "GitHub Copilot CLI",
  worksInWalls: true,
  program: "copilot",
  guide: "docs/agents-copilot.md",
  settings: SETTINGS,
  instructions: ["AGENTS.md", ".github/copilot-instructions.md"],
  describe: (agent) => {
    const program = agent.command.length === 0 ? "copilot" : agent.command.join(" ");
    const { permissions } = settingsOf(SETTINGS, agent);
    return `GitHub Copilot CLI (${program}), ${agent.model ?? "its default model"}, permissions ${permissions}`;
  },
  abilities: {
    acknowledges: { yes: "by its protocol" },
    midTurn: { yes: "waits for the end of the turn; an urgent one interrupts it" },
    interrupt: { yes: "Ctrl-C at the terminal" },
    permissions: { yes: "allow-list; everything else asks you" },
    questions: { no: "Copilot CLI gives its model no way to ask you a question" },
    limits: { yes: "after its own retries, about a minute" },
    usage: { yes: "tokens, after each turn" },
    context: { yes: "live" },
    resumes: { yes: "session/load" },
    terminal: { yes: "a transcript, where you may type" },
  },
  demo: {
    opening: "The agents are your Copilot CLI; a stub on this machine answers instead of a model.",
    install: "npm install -g @github/copilot",
    env: ({ stub }) => ({
      COPILOT_OFFLINE: "true",
      COPILOT_PROVIDER_TYPE: "anthropic",
      COPILOT_PROVIDER_BASE_URL: stub,
      COPILOT_PROVIDER_API_KEY: "stub",
      COPILOT_MODEL: "claude-sonnet-4.5",
    }),
    files: () => ({}),
  },
  load: async () => (await import("./copilot-agent.ts")).createCopilotAgent(),
};
