// Projects with several agents, as tests of choosing and falling back need them.
import type { AgentChoices } from "../../src/core/agent-choice.ts";
import type { AgentConfig, ProjectConfig } from "../../src/core/config.ts";
import { testConfig } from "./config.ts";

export const agentOf = (runtime: string, change: Partial<AgentConfig> = {}): AgentConfig => ({
  ...testConfig().agent,
  runtime,
  command: [],
  ...change,
});

/** `first` is the project's own; `second` and `third` continue where it cannot. */
export function severalAgents(change: Partial<AgentChoices> = {}): ProjectConfig {
  const agent = agentOf("first");
  const second = agentOf("second");
  const third = agentOf("first", { account: "third" });
  const agents = {
    named: { first: agent, second, third },
    rules: [],
    fallback: ["second", "third"],
    waitMs: 60_000,
    ...change,
  };
  return { ...testConfig(), agent, agents };
}
