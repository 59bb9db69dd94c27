// How the next life of a run becomes another agent's: in the same workspace, without the conversation
// of the one before. When that happens is decided in fallback.ts.
import { accountOf, optionsOf } from "../agent-choice.ts";
import type { AgentConfig } from "../config.ts";
import type { Context } from "../context.ts";
import { anotherAgent } from "../words/messages.ts";
import { sayOnIssue } from "./obligations.ts";
import { warn, type Run } from "./run.ts";
import { askedOn } from "./work.ts";

/** Accounts that are limited in turn would pass a run on for ever: after so many it waits, or asks. */
const AGENTS_MAX = 6;

/** Agents that may continue instead of the present one, the one that was chosen first. */
export function othersOf(run: Run): AgentConfig[] {
  if ((run.agents?.length ?? 0) >= AGENTS_MAX) return [];
  const own = accountOf(run.config.agent);
  const options = optionsOf(run.config, run.choice?.first ?? run.config.agent);
  return options.filter((option) => accountOf(option) !== own);
}

/** The next life is the other agent's; said where people look. */
export function takeOver(run: Run, context: Context): Run {
  const { next, ...rest } = run;
  const agent = othersOf(run).find((other) => accountOf(other) === next?.account);
  if (next === undefined) return run;
  if (agent === undefined) return rest;
  const before = accountOf(run.config.agent);
  const said = anotherAgent({ before, after: next.account, reason: next.reason });
  const on = askedOn(run);
  if (on !== undefined)
    sayOnIssue(run, { name: `agent:${run.epoch + 1}`, on, body: said }, context);
  const past = { account: before, until: context.at, reason: next.reason };
  const switched: Run = {
    ...rest,
    config: { ...run.config, agent },
    agents: [...(run.agents ?? []), past],
  };
  return warn(switched, said, context);
}
