// The runtime `gemini` as data: Gemini CLI, driven through the Agent Client Protocol.
import type { Runtime } from "../../ports/runtime.ts";
import { settingsOf } from "../shared/settings.ts";

/** The one that test/agents runs. */
export const VERSION = "0.61.0";

export const SETTINGS = {
  approvalMode: {
    kind: "choice",
    choices: ["default", "auto_edit", "yolo", "plan"],
    assumed: "default",
    meaning:
      "default asks you about tools that `allow` does not list; yolo allows everything; plan only reads.",
  },
  allow: {
    kind: "texts",
    assumed: ["run_shell_command", "write_file", "replace"],
    meaning: "Tools of Gemini CLI that run without a question; tools that only read always do.",
  },
  deny: {
    kind: "texts",
    assumed: [],
    meaning: "Tools of Gemini CLI that are never run.",
    example: ["web_fetch"],
  },
  model: { kind: "model", meaning: "Passed as --model." },
  args: { kind: "arguments", meaning: "More arguments for gemini.", example: ["--debug"] },
} as const;

export const gemini: Runtime = {
  name: "gemini",
  tested: VERSION,
  title: "Gemini CLI",
  worksInWalls: true,
  program: "gemini",
  guide: "docs/agents-gemini.md",
  settings: SETTINGS,
  instructions: ["GEMINI.md"],
  describe: (agent) => {
    const program = agent.command.length === 0 ? "gemini" : agent.command.join(" ");
    const { approvalMode } = settingsOf(SETTINGS, agent);
    return `Gemini CLI (${program}), ${agent.model ?? "its default model"}, approval mode ${approvalMode}`;
  },
  abilities: {
    acknowledges: { yes: "by its protocol" },
    midTurn: { yes: "waits for the end of the turn; an urgent one interrupts it" },
    interrupt: { yes: "Ctrl-C at the terminal" },
    permissions: { yes: "allow-list; everything else asks you" },
    questions: { no: "Gemini CLI gives its model no way to ask you a question" },
    limits: { no: "Gemini CLI retries in silence: a limit shows as waiting for the model" },
    usage: { yes: "tokens, after each turn" },
    context: {
      no: "Gemini CLI does not report its context, so its work is never handed off early",
    },
    resumes: { yes: "session/load" },
    terminal: { yes: "a transcript, where you may type" },
  },
  demo: {
    opening: "The agents are your Gemini CLI; a stub on this machine answers instead of a model.",
    install: "npm install -g @google/gemini-cli",
    env: ({ stub }) => ({
      GEMINI_API_KEY: "stub",
      GOOGLE_GEMINI_BASE_URL: stub,
      GEMINI_TELEMETRY_ENABLED: "false",
    }),
    files: () => ({
      ".gemini/settings.json": JSON.stringify({
        security: { auth: { selectedType: "gemini-api-key" } },
        model: { name: "gemini-2.5-pro" },
        general: { enableAutoUpdate: false },
        privacy: { usageStatisticsEnabled: false },
      }),
    }),
  },
  load: async () => (await import("./gemini-agent.ts")).createGeminiAgent(),
};
