// Gemini CLI, as every agent is tested.
import type { TestedAgent } from "../support/agent-factory.ts";
import { agentProgram, STUBBED } from "../support/agent-programs.ts";
import { conformance } from "./conformance.ts";
import { furtherCases } from "./further-cases.ts";

const AGENT: TestedAgent = {
  runtime: "gemini",
  program: agentProgram("gemini"),
  env: STUBBED.gemini.env,
  files: STUBBED.gemini.files,
  signedOut: () => ({}),
  // Left to itself it asks the model which model to take.
  settings: 'model = "gemini-2.5-pro"',
  asking: "allow = []",
  allows: "Allow",
  retries: true,
};

conformance(AGENT);
furtherCases(AGENT, { settings: 'model = "gemini-2.5-flash"', asked: /^gemini-2\.5-flash$/ });
