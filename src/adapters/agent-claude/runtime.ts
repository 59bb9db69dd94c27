// The runtime `claude` as data: Claude Code, what it may do, and how it is tried and monitored.
import type { Runtime, SettingValues } from "../../ports/runtime.ts";
import { settingsOf } from "../shared/settings.ts";
import { MONITORED } from "./monitored.ts";

export const SETTINGS = {
  permissionMode: {
    kind: "choice",
    choices: ["dontAsk", "acceptEdits", "default", "plan", "bypassPermissions"],
    assumed: "dontAsk",
    meaning:
      "dontAsk refuses what the rules do not allow; default asks you; bypassPermissions allows everything.",
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
  model: { kind: "model", meaning: "Passed as --model." },
  args: {
    kind: "arguments",
    meaning: "More arguments for claude, placed before the prompt.",
    example: ["--verbose"],
  },
} as const;

/** Permission rules are in Claude Code's own notation; files of the workspace are added to `allow`. */
export type ClaudeSettings = SettingValues<typeof SETTINGS>;

/** The newest version that the tests run with. */
export const TESTED = "2.1.325";

export const claude: Runtime = {
  name: "claude",
  tested: TESTED,
  title: "Claude Code",
  program: "claude",
  guide: "docs/claude-code.md",
  worksInWalls: true,
  settings: SETTINGS,
  instructions: ["CLAUDE.md"],
  describe: (agent) => {
    const program = agent.command.length === 0 ? "claude" : agent.command.join(" ");
    const { permissionMode } = settingsOf(SETTINGS, agent);
    const model = agent.model ?? "its default model";
    return `Claude Code (${program}), ${model}, permission mode ${permissionMode}`;
  },
  abilities: {
    acknowledges: { yes: "by its hook" },
    midTurn: { yes: "typed during the turn" },
    interrupt: { yes: "Escape at the terminal" },
    permissions: { yes: "allow-list; everything else is refused, or asks you" },
    questions: { yes: "asks you, with its choices" },
    limits: { yes: "at once" },
    usage: { yes: "tokens and money, live" },
    context: { yes: "live" },
    resumes: { yes: "its --resume" },
    terminal: { yes: "its own screen" },
  },
  demo: {
    opening: "The agents are your Claude Code; a stub on this machine answers instead of a model.",
    install: "npm install -g @anthropic-ai/claude-code",
    env: ({ home, stub }) => ({
      CLAUDE_CONFIG_DIR: `${home}/.claude`,
      ANTHROPIC_BASE_URL: stub,
      ANTHROPIC_AUTH_TOKEN: "stub",
      ANTHROPIC_API_KEY: "",
      CLAUDE_CODE_OAUTH_TOKEN: "",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    }),
    // What it asks everyone at the first start is answered.
    files: () => ({ ".claude/.claude.json": JSON.stringify({ hasCompletedOnboarding: true }) }),
  },
  monitored: MONITORED,
  load: async () => (await import("./claude-agent.ts")).createClaudeAgent(),
};
