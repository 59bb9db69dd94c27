// The runtime `command` as data: a program of the user's own, of which nothing is known.
import type { Runtime } from "../../ports/runtime.ts";

export const command: Runtime = {
  name: "command",
  title: "a program of your own",
  needsCommand: true,
  describe: ({ command: words }) => words.join(" "),
  load: async () => (await import("./command-agent.ts")).createCommandAgent(),
};
