// GitHub Copilot CLI, as every agent is tested.
import { agentProgram, STUBBED } from "../support/agent-programs.ts";
import { conformance } from "./conformance.ts";

conformance({
  runtime: "copilot",
  program: agentProgram("copilot"),
  env: STUBBED.copilot.env,
  files: STUBBED.copilot.files,
  signedOut: () => ({}),
  asking: "allow = []",
  allows: "Allow once",
  retries: true,
  cannot: {
    "context and hand-off":
      "it counts tokens itself, so that the stub cannot fill its context; with a smaller context the hand-off did not end in time, and why is not known yet",
  },
});
