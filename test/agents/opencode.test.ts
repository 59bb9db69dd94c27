// opencode as a server, as every agent is tested; and its own screen in the pane.
import { agentProgram, STUBBED } from "../support/agent-programs.ts";
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
    },
  ],
});

conformance({
  runtime: "opencode",
  program: agentProgram("opencode"),
  env: STUBBED.opencode.env,
  files: STUBBED.opencode.files,
  asking: 'permissions = "ask"',
  allows: "Yes, this time",
  question: `[[tool: question ${QUESTIONS}]]`,
  full: { tokens: 880_000 },
  retries: true,
  interrupt: "Escape",
  busyScreen: /esc (again to )?interrupt/,
  cannot: {
    "signed out": "without a login it uses the free models of its makers",
  },
});
