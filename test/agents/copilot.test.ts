// GitHub Copilot CLI, as every agent is tested.
import type { TestedAgent } from "../support/agent-factory.ts";
import { agentProgram, STUBBED } from "../support/agent-programs.ts";
import { conformance } from "./conformance.ts";
import { furtherCases } from "./further-cases.ts";

const AGENT: TestedAgent = {
  runtime: "copilot",
  program: agentProgram("copilot"),
  env: STUBBED.copilot.env,
  files: STUBBED.copilot.files,
  signedOut: () => ({}),
  // With a provider of its own it does not tell its model, which its cost is estimated by.
  settings: 'model = "claude-sonnet-4.5"',
  asking: "allow = []",
  allows: "Allow once",
  retries: true,
  cannot: {
    "context and hand-off":
      "it counts tokens itself, and drops old results of tools before its context is full, so that a session that fits at its start is never reported as full (COPILOT_PROVIDER_MAX_PROMPT_TOKENS=20000: a tool of 8,000 tokens ran again and again); in a context that is full at once (14000), every successor is full at once, too, and is handed off before it works (seen: five sessions in three minutes)",
  },
};

conformance(AGENT);
furtherCases(AGENT, { settings: 'model = "claude-haiku-4.5"', asked: /haiku/ });
