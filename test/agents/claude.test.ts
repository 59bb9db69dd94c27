// Claude Code in its own terminal, as every agent is tested. test/claude has what only it can do.
import { claudePath, noClaude } from "../support/claude.ts";
import { conformance } from "./conformance.ts";

conformance({
  runtime: "claude",
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
  full: { tokens: 850_000 },
  cannot: {
    "signed out": "its own screen asks for a login, and `pawl doctor` asks `claude auth status`",
    silence: "its screen shows that it works: only a host has a clock for the tokens of a model",
    question: "test/claude/waiting.test.ts answers its dialogs; the stub cannot make it ask",
  },
});
