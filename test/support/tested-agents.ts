// The agents that more than one test needs, as test/support/agent-factory.ts starts them.
import type { TestedAgent } from "./agent-factory.ts";
import { agentProgram, STUBBED } from "./agent-programs.ts";
import { claudePath, noClaude } from "./claude.ts";

const QUESTION = JSON.stringify({
  questions: [
    {
      id: "colour",
      header: "Colour",
      question: "Which?",
      options: [
        { label: "Red", description: "red" },
        { label: "Blue", description: "blue" },
      ],
    },
  ],
});

/** As a server. */
export const CODEX: TestedAgent = {
  runtime: "codex",
  program: agentProgram("codex"),
  env: STUBBED.codex.env,
  files: STUBBED.codex.files,
  // Not every machine that runs tests lets a program make a sandbox. Without the feature, its model may
  // ask a person in plan mode only.
  settings:
    'sandbox = "danger-full-access"\nargs = ["-c", "features.default_mode_request_user_input=true"]',
  asking: 'approval = "untrusted"',
  allows: "Yes, this time",
  question: `[[tool: request_user_input ${QUESTION}]]`,
  full: { tokens: 225_000 },
  interrupt: "Escape",
  screen: { started: "gpt-5.4 default", working: "esc to interrupt" },
  cannot: {
    "signed out":
      "a server of Codex without a login starts a thread all the same, and only OpenAI's server refuses it; `pawl doctor` asks `codex login status`",
  },
};

/** In its own terminal. */
export const CLAUDE: TestedAgent = {
  runtime: "claude",
  stays: true,
  program: noClaude ? undefined : claudePath,
  env: ({ stub }) => ({
    ANTHROPIC_BASE_URL: stub,
    ANTHROPIC_AUTH_TOKEN: "stub",
    CLAUDE_CODE_MAX_RETRIES: "1",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  }),
  files: () => ({ ".claude.json": JSON.stringify({ hasCompletedOnboarding: true }) }),
  asking: 'permission_mode = "default"\nallow = ["Read"]',
  allows: "Yes",
  interrupt: "Escape",
  cannot: {
    "signed out": "its own screen asks for a login, and `pawl doctor` asks `claude auth status`",
    silence: "its screen shows that it works: only a host has a clock for the tokens of a model",
    question: "test/claude/prompts.test.ts answers its dialogs; the stub cannot make it ask",
    "context and hand-off": "test/claude/context.test.ts",
  },
};
