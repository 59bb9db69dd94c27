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
      "it counts tokens itself, so that the stub cannot fill its context; with a smaller context the hand-off did not end in time, and why is not known yet",
  },
};

conformance(AGENT);
furtherCases(AGENT, { settings: 'model = "claude-haiku-4.5"', asked: /haiku/ });
