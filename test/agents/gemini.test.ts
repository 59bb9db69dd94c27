import { agentProgram, STUBBED } from "../support/agent-programs.ts";
import { conformance } from "./conformance.ts";

conformance({
  runtime: "gemini",
  program: agentProgram("gemini"),
  env: STUBBED.gemini.env,
  files: STUBBED.gemini.files,
  cannot: {},
});
