// Claude Code without a terminal, as every agent is tested.
import { agentProgram, CLAUDE_ACP } from "../support/agent-programs.ts";
import { conformance } from "./conformance.ts";

const QUESTIONS = JSON.stringify({
  questions: [
    {
      question: "Which?",
      header: "Colour",
      options: [
        { label: "Red", description: "red" },
        { label: "Blue", description: "blue" },
      ],
      multiSelect: false,
    },
  ],
});

conformance({
  runtime: "claude-acp",
  program: agentProgram("claude-acp"),
  ...CLAUDE_ACP,
  signedOut: (place) => ({ ...CLAUDE_ACP.env(place), ANTHROPIC_API_KEY: "" }),
  asking: 'allow = ["Read"]',
  allows: "Yes",
  question: `[[tool: AskUserQuestion ${QUESTIONS}]]`,
  full: { tokens: 850_000 },
});
