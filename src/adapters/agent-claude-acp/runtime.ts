// The runtime `claude-acp` as data: Claude Code without a terminal, driven through the Agent Client
// Protocol by its adapter claude-agent-acp.
import type { Runtime } from "../../ports/runtime.ts";
import { settingsOf } from "../shared/settings.ts";

/** The one that test/agents runs. */
export const VERSION = "0.99.1";

export const SETTINGS = {
  permissionMode: {
    kind: "choice",
    choices: ["default", "acceptEdits", "plan", "bypassPermissions"],
    assumed: "default",
    meaning:
      "default asks you about what `allow` does not list; bypassPermissions allows everything.",
  },
  allow: {
    kind: "texts",
    assumed: ["Bash", "Read", "Glob", "Grep", "TodoWrite", "Agent", "Task", "Skill"],
    meaning:
      "Permission rules of Claude Code for what is allowed, besides changing files in the workspace.",
  },
  deny: {
    kind: "texts",
    assumed: [],
    meaning: "Permission rules of Claude Code for what is never allowed.",
    example: ["Bash(git push:*)"],
  },
  model: { kind: "model", meaning: "One of the models that Claude Code offers, such as opus." },
} as const;

export const claudeAcp: Runtime = {
  name: "claude-acp",
  tested: VERSION,
  title: "Claude Code without a terminal",
  worksInWalls: true,
  program: "claude-agent-acp",
  guide: "docs/agents-claude-acp.md",
  settings: SETTINGS,
  instructions: ["CLAUDE.md"],
  describe: (agent) => {
    const program = agent.command.length === 0 ? "claude-agent-acp" : agent.command.join(" ");
    const { permissionMode } = settingsOf(SETTINGS, agent);
    return `Claude Code (${program}), ${agent.model ?? "its default model"}, permission mode ${permissionMode}`;
  },
  abilities: {
    acknowledges: { yes: "by its protocol" },
    midTurn: { yes: "joins the turn" },
    interrupt: { yes: "Ctrl-C at the terminal" },
    permissions: { yes: "allow-list; everything else asks you" },
    questions: { yes: "asks you, with its choices" },
    limits: { yes: "at once" },
    usage: { yes: "tokens and money, after each turn" },
    context: { yes: "live" },
    resumes: { yes: "session/resume or session/load" },
    terminal: { yes: "a transcript, where you may type" },
  },
  demo: {
    opening:
      "The agents are Claude Code without a terminal; a stub on this machine answers instead of a model.",
    install: "npm install -g @agentclientprotocol/claude-agent-acp",
    env: ({ home, stub }) => ({
      CLAUDE_CONFIG_DIR: `${home}/.claude`,
      ANTHROPIC_BASE_URL: stub,
      ANTHROPIC_API_KEY: "stub",
      CLAUDE_CODE_OAUTH_TOKEN: "",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    }),
    files: () => ({}),
  },
  load: async () => (await import("./claude-acp-agent.ts")).createClaudeAcpAgent(),
};
