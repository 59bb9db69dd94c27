// The runtime `command`: any program the user names. Pawl knows nothing of it but its argv; all
// else it learns through the contract's files.
import { OperationError } from "../../lib/operation-error.ts";
import type { Agent } from "../../ports/agent.ts";

export function createCommandAgent(): Agent {
  return {
    confirms: false,
    launch: async ({ agent }) => {
      if (agent.command.length === 0) {
        throw new OperationError("cannot start an agent: agent.command is empty", {
          code: "no-command",
          hint: 'write command = ["program", "argument"] below [agent] in pawl.toml',
        });
      }
      return { argv: agent.command, env: {} };
    },
  };
}
