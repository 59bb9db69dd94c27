// The runtime `script` as data: the built-in agent without a model.
import type { Runtime } from "../../ports/runtime.ts";

export const script: Runtime = {
  name: "script",
  title: "the issue's own sh block",
  guide: "docs/script-agent.md",
  describe: () => "the issue's own sh block, without a model",
  load: async () => (await import("./script-agent.ts")).createScriptAgent(),
};
