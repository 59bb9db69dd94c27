// Several agents in one project, each with an account of its own that may be limited.
import type { AgentChoices } from "../src/core/agent-choice.ts";
import type { AgentConfig, ProjectConfig } from "../src/core/config.ts";

const MINUTE_MS = 60_000;

/** A shorter limit is waited for. */
export const WAIT_MS = 5 * MINUTE_MS;

/** `command` is the first choice, `third` reviews; `second` and `third` continue. */
export function severalAgents(config: ProjectConfig): ProjectConfig {
  const agent: AgentConfig = {
    ...config.agent,
    limit: { ask: false, retryMs: config.agent.limit?.retryMs ?? 15 * MINUTE_MS },
  };
  const second = { ...agent, account: "second" };
  const third = { ...agent, account: "third" };
  const agents: AgentChoices = {
    named: { command: agent, second, third },
    rules: [{ role: "review", agent: third }],
    fallback: ["second", "third"],
    waitMs: WAIT_MS,
  };
  return { ...config, agent, agents };
}
