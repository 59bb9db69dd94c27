// Where another agent could continue, an agent that cannot work is not started: its program is missing,
// too old or not signed in. Where it is the only one, it is started all the same, and shows what is
// wrong with it where a person can see it.
import { AGENT_UNUSABLE } from "../../core/run/failures.ts";
import { othersOf } from "../../core/run/session-life.ts";
import type { Run } from "../../core/run/run.ts";
import { OperationError } from "../../lib/operation-error.ts";
import type { Agent } from "../../ports/agent.ts";

export async function requireUsable(
  run: Run,
  place: { agent: Agent; env: Record<string, string>; workspace: string },
): Promise<void> {
  if (othersOf(run).length === 0) return;
  const { session, config } = run;
  // What started once is not asked again: a successor of a crash would wait for the answer.
  const isFirst = session?.isOther === true || session?.predecessor === undefined;
  // With a gateway the key is there and not in the agent's home, where it looks for its own.
  const inspects = isFirst && config.gateway === undefined;
  const { command } = config.agent;
  const { agent, env, workspace } = place;
  const program = await agent.missing?.({ command, env, root: workspace });
  if (program !== undefined) throw unusable(`its program "${program}" is not found`);
  const [problems = [], findings = []] = await Promise.all([
    agent.problems?.({ command, env }),
    inspects ? agent.inspect?.({ command, env }) : undefined,
  ]);
  const [problem] = [
    ...problems,
    ...findings.filter(({ isNote }) => isNote !== true).map(({ what }) => what),
  ];
  if (problem !== undefined) throw unusable(problem);
}

const unusable = (message: string): OperationError =>
  new OperationError(message, { code: AGENT_UNUSABLE, retryable: false });
