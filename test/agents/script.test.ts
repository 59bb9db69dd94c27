// The built-in agent without a model, as every agent is tested.
import { conformance } from "./conformance.ts";

conformance({
  runtime: "script",
  program: "sh",
  builtIn: true,
  stays: true,
  env: () => ({}),
  files: () => ({}),
  cannot: {
    tool: "it has no tools: its commands are the work itself",
    steer: "it reads the messages that its issue has a block for, and no other text",
    "5xx": "this agent uses no model",
    silence: "this agent uses no model",
    "agent missing": "it is a part of Pawl",
    "signed out": "it has no account",
  },
});
