// The accounts that a project's agents use: which of them are limited, and which agent a new run, or
// one whose agent cannot continue, is given. A limit stops only the runs that have no other agent.
import { accountOf, chooseAgent, optionsOf, type Choice } from "../agent-choice.ts";
import type { AgentConfig, ProjectConfig } from "../config.ts";
import type { Context } from "../context.ts";
import { runAggregate, type RunId } from "../ids.ts";
import type { Task } from "../task.ts";
import type { IssueFacts } from "./backlog.ts";
import type { AccountLimit, Project } from "./project.ts";
import type { ProjectEvent } from "./project-event.ts";

type EventOf<K extends ProjectEvent["kind"]> = Extract<ProjectEvent, { kind: K }>;

/** `wait`: every agent that may do it is limited; the soonest end. */
export type Given =
  | { kind: "given"; config: ProjectConfig; choice: Choice | undefined }
  | { kind: "wait"; account: string; limit: AccountLimit };

/** Which agent an issue is given now. */
export function agentForIssue(project: Project, config: ProjectConfig, issue: IssueFacts): Given {
  const { labels, wish } = issue;
  const choice = chooseAgent(config, { role: "dev", labels, wish });
  return give(project, config, { choice, isPlain: wish === undefined });
}

/** The model of a task is one of the project's own agent: another one knows it by another name. */
export function agentForTask(project: Project, config: ProjectConfig, task: Task): Given {
  const choice = chooseAgent(config, { role: task.role, labels: [] });
  const isOwn = choice.first.runtime === config.agent.runtime;
  const { model } = task;
  const first = isOwn && model !== undefined ? { ...choice.first, model } : choice.first;
  return give(project, config, { choice: { ...choice, first }, isPlain: true });
}

function give(
  project: Project,
  config: ProjectConfig,
  { choice, isPlain }: { choice: Choice; isPlain: boolean },
): Given {
  const options = optionsOf(config, choice.first);
  const agent = options.find((option) => limitOf(project, option) === undefined);
  if (agent === undefined) return soonest(project, options);
  const isKnown = config.agents === undefined && isPlain;
  return {
    kind: "given",
    config: agent === config.agent ? config : { ...config, agent },
    choice: isKnown ? undefined : explained(project, choice, agent),
  };
}

function explained(project: Project, choice: Choice, agent: AgentConfig): Choice {
  if (agent === choice.first) return choice;
  const limit = limitOf(project, choice.first);
  const why = `${choice.why}; ${accountOf(choice.first)} cannot work now (${limit?.reason ?? "limited"}), and ${accountOf(agent)} is its fallback`;
  return { ...choice, why };
}

function soonest(project: Project, options: readonly AgentConfig[]): Given {
  const limits = options.flatMap((option) => {
    const limit = limitOf(project, option);
    return limit === undefined ? [] : [{ account: accountOf(option), limit }];
  });
  const [first, ...others] = limits;
  if (first === undefined) throw new Error("an agent waits for a limit that does not exist");
  const next = others.reduce((a, b) => (b.limit.until < a.limit.until ? b : a), first);
  return { kind: "wait", ...next };
}

export const limitOf = ({ accounts }: Project, agent: AgentConfig): AccountLimit | undefined =>
  accounts?.[accountOf(agent)];

/** The longest limit counts: an agent that met a shorter one will meet this one too. */
export function limit(project: Project, event: EventOf<"account-limited">): Project {
  const { until, reason, cannotStart, isShort, run } = event;
  const account = event.account ?? ownAccount(project);
  const before = project.accounts?.[account];
  const put = (known: AccountLimit): Project => ({
    ...project,
    accounts: { ...project.accounts, [account]: known },
  });
  const asking = stillAsking(project, before).filter((one) => one !== run);
  if (run !== undefined) asking.push(run);
  if (before !== undefined && before.until >= until) {
    return run === undefined || before.asking === undefined ? project : put({ ...before, asking });
  }
  return put({
    until,
    reason,
    ...(cannotStart === true ? { cannotStart } : {}),
    ...(isShort === true ? { isShort } : {}),
    asking,
  });
}

/** Their questions about a shorter limit are open, and one answer is enough. */
const stillAsking = ({ active }: Project, before: AccountLimit | undefined): RunId[] =>
  before === undefined || before.answered === true
    ? []
    : active.map(({ run }) => run).filter((run) => before.asking?.includes(run) === true);

/** An event of an older version names no account. */
const ownAccount = ({ config }: Project): string =>
  config === undefined ? "" : accountOf(config.agent);

export const free = (
  project: Project,
  event: EventOf<"account-freed">,
  context: Context,
): Project => opened(project, [event.account ?? ownAccount(project)], context);

/** Limits end at their time, unless a person wants to be asked and a run needs the answer. */
export function lift(project: Project, context: Context): Project {
  const over = Object.entries(project.accounts ?? {}).filter(
    ([, one]) => one.until <= context.at && !waitsForPerson(project, one),
  );
  return opened(
    project,
    over.map(([account]) => account),
    context,
  );
}

/** Runs that found no agent ask again. */
function opened(project: Project, accounts: readonly string[], { at, output }: Context): Project {
  const known = accounts.filter((account) => project.accounts?.[account] !== undefined);
  if (known.length === 0) return project;
  if (project.config?.agents !== undefined) {
    for (const { run } of project.active) {
      const to = runAggregate(project.name, run);
      output.tells.push({ to, event: { kind: "account-opened", at, accounts: known } });
    }
  }
  const left = Object.entries(project.accounts ?? {}).filter(([name]) => !known.includes(name));
  return {
    ...project,
    accounts: left.length === 0 ? undefined : Object.fromEntries(left),
  };
}

/** Any answered run counts: the person is there, and no other question about this limit follows. */
export function limitAnswered(project: Project, context: Context): Project {
  const { accounts } = project;
  if (accounts === undefined) return project;
  const answered = Object.entries(accounts).map(
    ([name, one]) => [name, { ...one, answered: true as const }] as const,
  );
  return lift({ ...project, accounts: Object.fromEntries(answered) }, context);
}

/**
 * After a limit, a person wants to be asked before agents resume, and a run asks them. Where none does
 * (another project met the limit, or the run that asked has ended), there is no question to answer.
 */
export const waitsForPerson = ({ config, active }: Project, one: AccountLimit): boolean =>
  config?.agent.limit?.ask === true &&
  active.some(({ run }) => one.asking?.includes(run) ?? true) &&
  one.answered !== true &&
  one.cannotStart !== true &&
  one.isShort !== true;

/** When the next limit ends by itself. */
export function freeAt(project: Project): number | undefined {
  const ends = Object.values(project.accounts ?? {})
    .filter((one) => !waitsForPerson(project, one))
    .map(({ until }) => until);
  return ends.length === 0 ? undefined : Math.min(...ends);
}

/** A run whose agent cannot continue asks for another: the first that is not limited, or none. */
export function seekAgent(
  project: Project,
  { run, options }: EventOf<"agent-wanted">,
  { at, output }: Context,
): Project {
  const account = options.find((option) => project.accounts?.[option] === undefined);
  const to = runAggregate(project.name, run);
  const event =
    account === undefined
      ? ({ kind: "agent-denied", at } as const)
      : ({ kind: "agent-given", at, account } as const);
  output.tells.push({ to, event });
  return project;
}

/** What keeps the project's ordinary issues from an agent; undefined where one is free. */
export function limitText(project: Project): string | undefined {
  const { config, accounts } = project;
  if (config === undefined || accounts === undefined) return undefined;
  const given = give(project, config, {
    choice: { first: config.agent, why: "" },
    isPlain: true,
  });
  return given.kind === "given" ? undefined : waitText(project, given);
}

export function waitText(
  project: Project,
  { account, limit: known }: Extract<Given, { kind: "wait" }>,
): string {
  const until = new Date(known.until).toISOString();
  const end = waitsForPerson(project, known)
    ? `until ${until}, and until you agree`
    : `until ${until}`;
  if (known.cannotStart === true)
    return `${account} cannot start, next try ${until} (${known.reason})`;
  const whose =
    project.config?.agents === undefined ? "the account's limit" : `the limit of ${account}`;
  return `${whose}, ${end} (${known.reason})`;
}
