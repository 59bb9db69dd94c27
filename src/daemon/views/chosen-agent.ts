// Which agent works on what, and why that one: for `why`, `status`, `agents` and `run --dry-run`.
import { accountOf } from "../../core/agent-choice.ts";
import type { AgentConfig } from "../../core/config.ts";
import { agentForIssue } from "../../core/project/accounts.ts";
import type { IssueFacts } from "../../core/project/backlog.ts";
import type { Project } from "../../core/project/project.ts";
import type { Run } from "../../core/run/run.ts";

/** Its account, and the program where the runtime says nothing: `sh agent.sh` is known by its script. */
export function agentName(agent: AgentConfig): string {
  const { runtime, command } = agent;
  if (agent.account !== undefined || runtime !== "command") return accountOf(agent);
  const words = command.filter((word) => !word.startsWith("-"));
  const [program = "command", script] = words.map((word) => word.slice(word.lastIndexOf("/") + 1));
  return ["sh", "bash", "node", "python", "python3"].includes(program)
    ? (script ?? program)
    : program;
}

const withModel = (agent: AgentConfig): string =>
  agent.model === undefined ? agentName(agent) : `${agentName(agent)}, model ${agent.model}`;

/** Only where there was a choice. */
export function agentLines({ config, choice, agents = [], seeks, next }: Run): string[] {
  if (choice === undefined) return [];
  const before = agents.map(
    ({ account, reason }) => `previous agent: ${account}, which ${could(reason)}`,
  );
  const why = agents.length === 0 ? `: ${choice.why}` : ", which continues in the same workspace";
  return [
    `agent: ${withModel(config.agent)}${why}`,
    ...before,
    ...(choice.ignored === undefined ? [] : [choice.ignored]),
    ...(seeks?.denied === true ? [`no other agent is free (${seeks.reason})`] : []),
    ...(next === undefined ? [] : [`next agent: ${next.account} (${next.reason})`]),
  ];
}

const could = (reason: string): string => `could not continue (${reason})`;

/** The agent that an issue would be given now. */
export function choiceLines(project: Project, issue: IssueFacts): string[] {
  const { config } = project;
  if (config === undefined) return [];
  const given = agentForIssue(project, config, issue);
  if (given.kind === "wait" || given.choice === undefined) return [];
  const { why, ignored } = given.choice;
  const agent = `agent: ${withModel(given.config.agent)}: ${why}`;
  return ignored === undefined ? [agent] : [agent, ignored];
}

/** Those that continue where the first cannot, and those of labels and roles. */
export function otherAgents({ agents }: NonNullable<Project["config"]>): string[] {
  if (agents === undefined) return [];
  const { fallback, rules } = agents;
  const rest = rules.map(
    ({ label, role, agent }) =>
      `agent for ${[label && `label ${label}`, role && `role ${role}`].filter(Boolean).join(" and ")}: ${withModel(agent)}`,
  );
  return [...(fallback.length === 0 ? [] : [`then: ${fallback.join(", ")}`]), ...rest];
}
