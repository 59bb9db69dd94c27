// Claude Code without a terminal, as every agent is tested.
import type { TestedAgent } from "../support/agent-factory.ts";
import { agentProgram, CLAUDE_ACP } from "../support/agent-programs.ts";
import { conformance } from "./conformance.ts";
import { furtherCases } from "./further-cases.ts";

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

const AGENT: TestedAgent = {
  runtime: "claude-acp",
  program: agentProgram("claude-acp"),
  ...CLAUDE_ACP,
  signedOut: (place) => ({ ...CLAUDE_ACP.env(place), ANTHROPIC_API_KEY: "" }),
  asking: 'allow = ["Read"]',
  allows: "Yes",
  question: `[[tool: AskUserQuestion ${QUESTIONS}]]`,
  full: { tokens: 850_000 },
};

conformance(AGENT);
furtherCases(AGENT, { settings: 'model = "haiku"', asked: /haiku/ });
