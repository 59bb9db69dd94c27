// What a project may spend in a day: once a budget of the day is spent, no new agent is started
// before the next UTC day, and runs under way wait after their turn. A larger budget opens it at
// once, and so does a person who allows as much again.
import { dayOf, nextDay, NOTHING, overspent, plus, type Budget } from "../budget.ts";
import type { Context } from "../context.ts";
import type { Event } from "../event.ts";
import type { ProjectEvent } from "./project-event.ts";
import { projectAggregate, runAggregate } from "../ids.ts";
import type { Role } from "../task.ts";
import type { DaySpending, Project } from "./project.ts";

export function spend(
  project: Project,
  event: Extract<ProjectEvent, { kind: "usage-spent" }>,
  context: Context,
): Project {
  const { role } = event;
  const today = spendingOn(project.spending, dayOf(context.at));
  const spending: DaySpending = {
    ...today,
    total: plus(today.total, event),
    roles: { ...today.roles, [role]: plus(today.roles[role] ?? NOTHING, event) },
  };
  return keepDay({ ...project, spending }, context);
}

/** A clock that went back does not make the day begin again. */
const spendingOn = (known: DaySpending | undefined, day: string): DaySpending =>
  known !== undefined && known.day >= day ? known : { day, total: NOTHING, roles: {} };

/** Closes and opens, and tells the runs under way; asked whenever spending, budget or day change. */
export function keepDay(project: Project, context: Context): Project {
  const { closed, spending, config } = project;
  const isOver = spending !== undefined && dayEnd(spending) <= context.at;
  const reason = isOver ? undefined : reached(config?.budget, spending);
  if (reason === undefined) {
    if (closed === undefined) return project;
    tellRuns(project, { kind: "budget-opened", at: context.at }, context);
    return { ...project, closed: undefined };
  }
  if (spending === undefined) return project;
  const until = dayEnd(spending);
  // One that was closed yesterday, and whose new day began with more than it may use, stays closed.
  if (closed?.until === until) return project;
  tellRuns(project, { kind: "budget-closed", at: context.at, until, reason }, context);
  tellPerson(project, { until, reason }, context);
  return { ...project, closed: { until, reason, at: context.at } };
}

/** As much again of what is spent, counted from now. */
export function allowMore(project: Project, context: Context): Project {
  const { spending, config, closed } = project;
  if (closed === undefined || spending === undefined) return project;
  const { day, dev } = spentOf(config?.budget, spending);
  const from = {
    ...spending.from,
    ...(day === undefined ? {} : { total: spending.total }),
    ...(dev === undefined ? {} : { dev: spending.roles["dev"] ?? NOTHING }),
  };
  return keepDay({ ...project, spending: { ...spending, from } }, context);
}

const dayEnd = ({ day }: DaySpending): number => nextDay(Date.parse(day));

function reached(
  budget: Budget | undefined,
  spending: DaySpending | undefined,
): string | undefined {
  if (budget === undefined || spending === undefined) return undefined;
  const { day, dev } = spentOf(budget, spending);
  if (day !== undefined) return `day ${day}`;
  return dev === undefined ? undefined : `role dev ${dev}`;
}

const spentOf = (budget: Budget | undefined, { total, roles, from }: DaySpending) => ({
  day: overspent(budget?.day, total, from?.total),
  dev: overspent(budget?.roles?.dev, roles["dev"] ?? NOTHING, from?.dev),
});

/** Why no more tasks of this role are begun on this day. */
export function spentRole(project: Project, role: Role, at: number): string | undefined {
  const { config, spending } = project;
  if (spending === undefined || dayEnd(spending) <= at) return undefined;
  return overspent(config?.budget?.roles?.[role], spending.roles[role] ?? NOTHING);
}

/** When tasks that wait for their role's budget may begin. */
export function rolesFreeAt(project: Project): number | undefined {
  const { spending, tasks } = project;
  if (spending === undefined) return undefined;
  const waits = tasks.some(({ role }) => spentRole(project, role, 0) !== undefined);
  return waits ? dayEnd(spending) : undefined;
}

/** What was spent on a day that is over says nothing any more. */
export const newDay = (project: Project, at: number): Project =>
  project.spending !== undefined && dayEnd(project.spending) <= at
    ? { ...project, spending: undefined }
    : project;

/** No answer is needed, but a person should know why nothing happens until tomorrow. */
function tellPerson(
  { name }: Project,
  { until, reason }: NonNullable<Project["closed"]>,
  { at, output }: Context,
): void {
  const aggregate = projectAggregate(name);
  const end = new Date(until).toISOString();
  output.effects.push({
    key: `${aggregate}:budget:${at}`,
    lane: `notify:${name}`,
    effect: {
      kind: "notify",
      severity: "warning",
      title: `the budget of ${name} is spent`,
      body: `${reason}; no agent starts before ${end}, unless you raise [budget] in pawl.toml, or allow as much again: \`pawl escalation answer budget "allow as much again today"\``,
    },
  });
}

function tellRuns({ name, active }: Project, event: Event, { output }: Context): void {
  for (const { run } of active) output.tells.push({ to: runAggregate(name, run), event });
}
