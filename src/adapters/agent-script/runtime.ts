// The runtime `script` as data: the built-in agent without a model.
import type { Runtime } from "../../ports/runtime.ts";

export const script: Runtime = {
  name: "script",
  title: "the issue's own sh block",
  guide: "docs/script-agent.md",
  worksInWalls: true,
  describe: () => "the issue's own sh block, without a model",
  abilities: {
    acknowledges: { yes: "by its inbox" },
    midTurn: { yes: "between two blocks" },
    interrupt: { no: "the script agent has no turns that could be interrupted" },
    permissions: { no: "the script agent asks for no permission" },
    questions: { no: "the script agent has no model that could ask a question" },
    limits: { no: "the script agent has no account" },
    usage: { no: "the script agent uses no tokens" },
    context: { no: "the script agent has no context" },
    resumes: { no: "the script agent has no conversation: it runs its block again" },
    terminal: { yes: "its commands and their output" },
  },
  load: async () => (await import("./script-agent.ts")).createScriptAgent(),
};
