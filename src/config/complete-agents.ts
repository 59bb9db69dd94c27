// The agents of pawl.toml: the project's own, those of labels and roles, other accounts, and what
// follows one that cannot continue.
import type { AgentChoices } from "../core/agent-choice.ts";
import type { AgentConfig } from "../core/config.ts";
import { completeSettings, type WrittenAccount, type WrittenRule } from "./schema-agent.ts";
import type { WrittenConfig } from "./schema.ts";

type Written = WrittenConfig["agent"];

export function completeAgent(written: Written): AgentConfig {
  const { runtime, command, pass_env: passEnv, env } = written;
  const known = { runtime, command: command ?? [], passEnv, env, limit: limitOf(written) };
  return { ...known, ...completeSettings(written, { runtime }) };
}

/** Undefined where the project has one agent and no other. */
export function completeChoices(written: Written): AgentChoices | undefined {
  const { fallback, fallback_after: waitMs, for: rules = [], account: accounts = [] } = written;
  if (fallback.length + rules.length + accounts.length === 0) return undefined;
  const own = completeAgent(written);
  const named: Record<string, AgentConfig> = { [own.runtime]: own };
  for (const one of accounts) named[one.name] = accountAgent(written, one);
  for (const name of fallback) named[name] ??= runtimeAgent(written, name);
  const known = rules.map(({ label, role, ...rest }) => ({
    ...(label === undefined ? {} : { label }),
    ...(role === undefined ? {} : { role }),
    agent: ruleAgent(written, rest, named),
  }));
  for (const { agent } of known) named[agent.account ?? agent.runtime] ??= agent;
  return { named, rules: known, fallback, waitMs };
}

const limitOf = (written: Written): NonNullable<AgentConfig["limit"]> => ({
  ask: written.after_limit === "ask",
  retryMs: written.limit_retry,
});

/** Another runtime has a program of its own; what agents may see is the same for all. */
function runtimeAgent(written: Written, runtime: string): AgentConfig {
  if (runtime === written.runtime) return completeAgent(written);
  const { pass_env: passEnv, env } = written;
  const known = { runtime, command: [], passEnv, env, limit: limitOf(written) };
  return { ...known, ...completeSettings(written, { runtime }) };
}

/** What an account does not say is as for its runtime. */
function accountAgent(written: Written, one: WrittenAccount): AgentConfig {
  const usual = runtimeAgent(written, one.runtime);
  return {
    ...withOwn(written, usual, one),
    account: one.name,
    ...(one.home === undefined ? {} : { home: one.home }),
    ...(one.command === undefined ? {} : { command: one.command }),
    passEnv: [...new Set([...usual.passEnv, ...one.pass_env])],
    env: { ...usual.env, ...one.env },
  };
}

function ruleAgent(
  written: Written,
  one: Omit<WrittenRule, "label" | "role">,
  named: Record<string, AgentConfig>,
): AgentConfig {
  const known = one.account === undefined ? undefined : named[one.account];
  const usual = known ?? runtimeAgent(written, one.runtime ?? written.runtime);
  return withOwn(written, usual, one);
}

/** With a model and settings of its own. */
function withOwn(
  written: Written,
  usual: AgentConfig,
  { model, settings: own }: Pick<WrittenRule, "model" | "settings">,
): AgentConfig {
  const { runtime } = usual;
  const known = own === undefined ? {} : completeSettings(written, { runtime, own });
  return { ...usual, ...known, ...(model === undefined ? {} : { model }) };
}
