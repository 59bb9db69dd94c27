// How a runtime (a command, the built-in script agent, Claude Code …) is started. Pure knowledge
// about one program: it starts nothing itself.
import type { AgentConfig } from "../core/config.ts";

export type LaunchRequest = {
  agent: AgentConfig;
  promptFile: string;
  workspace: string;
  /** The epoch's folder. */
  dir: string;
  /** The conversation of the previous life, where the runtime can resume one. */
  resume: string | undefined;
};

export type Launch = {
  argv: string[];
  /** Added to the contract's own variables. */
  env: Record<string, string>;
};

export type Agent = {
  /** The `runtime` it serves. */
  runtime: AgentConfig["runtime"];
  /** True where it reports accepted messages itself, so that deliveries can be confirmed. */
  confirms: boolean;
  launch(request: LaunchRequest): Promise<Launch>;
};
