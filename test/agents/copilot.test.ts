// GitHub Copilot CLI, as every agent is tested.
import { agentProgram, STUBBED } from "../support/agent-programs.ts";
import { conformance } from "./conformance.ts";

conformance({
  runtime: "copilot",
  program: agentProgram("copilot"),
  env: STUBBED.copilot.env,
  files: STUBBED.copilot.files,
  asking: "allow = []",
  allows: "Allow once",
  retries: true,
  // It counts the tokens of a prompt itself: about 10,000 with its own instructions.
  full: { tokens: 0, env: { COPILOT_PROVIDER_MAX_PROMPT_TOKENS: "14000" } },
});
