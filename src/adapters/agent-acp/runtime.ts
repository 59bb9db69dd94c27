// The runtime `acp` as data: any program that speaks the Agent Client Protocol.
import type { Runtime } from "../../ports/runtime.ts";

export const SETTINGS = {
  mode: {
    kind: "text",
    example: ["autoEdit"],
    meaning: "The session's mode, by the agent's own name; its permissions depend on it.",
  },
  model: { kind: "model", meaning: "One of the models that the agent offers." },
} as const;

export const acp: Runtime = {
  name: "acp",
  title: "a program that speaks the Agent Client Protocol",
  worksInWalls: false,
  needsCommand: true,
  guide: "docs/agents-acp.md",
  settings: SETTINGS,
  describe: ({ command }) => `${command.join(" ")}, with the permissions that it has by itself`,
  abilities: {
    acknowledges: { yes: "by its protocol" },
    midTurn: { yes: "waits for the end of the turn, unless the agent can be steered" },
    interrupt: { yes: "Ctrl-C at the terminal" },
    permissions: { yes: "as the agent asks; its `mode`" },
    questions: { yes: "if the agent asks" },
    limits: { yes: "by its errors, or as waiting for the model" },
    usage: { yes: "if the agent reports it" },
    context: { yes: "if the agent reports it" },
    resumes: { yes: "if the agent can; otherwise a new conversation, and Pawl tells you" },
    terminal: { yes: "a transcript, where you may type" },
  },
  load: async () => (await import("./any-acp-agent.ts")).createAnyAcpAgent(),
};
