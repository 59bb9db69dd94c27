// What Claude Code keeps in the user's home, with a terminal or without one.
import type { AgentState } from "../../ports/agent.ts";

/** Conversations are the run's own: the user's are not an agent's to read. */
export const CLAUDE_STATE: AgentState = {
  variable: "CLAUDE_CONFIG_DIR",
  folder: ".claude",
  shared: [".credentials.json"],
  read: [
    "settings.json",
    "CLAUDE.md",
    "agents",
    "commands",
    "hooks",
    "output-styles",
    "plugins",
    "rules",
    "skills",
  ],
  copied: [".claude.json"],
  isBeside: true,
  login: {
    providers: ["anthropic"],
    changed: { ".claude.json": ({ primaryApiKey: _key, ...settings }) => settings },
  },
};
