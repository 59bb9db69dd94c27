// The runtime `acp`: a program that the user names and that speaks the Agent Client Protocol. What
// it can do is learned from its own answer to `initialize`.
import { OperationError } from "../../lib/operation-error.ts";
import type { Agent, LaunchRequest } from "../../ports/agent.ts";
import { acpAgent } from "../shared/acp/acp-agent.ts";

export const createAnyAcpAgent = (): Agent => acpAgent({ argv, settings });

function argv({ agent }: LaunchRequest): string[] {
  if (agent.command.length > 0) return agent.command;
  throw new OperationError("cannot start an agent: agent.command is empty", {
    code: "no-command",
    hint: 'write command = ["program", "--acp"] below [agent] in pawl.toml',
  });
}

function settings({ agent }: LaunchRequest) {
  const mode = agent.settings?.["mode"];
  return { chooseModel: true, ...(typeof mode === "string" ? { mode } : {}) } as const;
}
