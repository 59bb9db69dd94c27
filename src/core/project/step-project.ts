// The project's step: takes in configuration and backlog, and gives ready issues to runs.
import { agentForIssue, free, freeAt, lift, limit, limitAnswered, seekAgent } from "./accounts.ts";
import { letActionsGo, wantActions } from "./actions.ts";
import type { Context } from "../context.ts";
import type { Output } from "../effect.ts";
import type { Event } from "../event.ts";
import type { ProjectEvent } from "./project-event.ts";
import { withSeenLabels } from "../forge-settings.ts";
import type { RunOutcome } from "../run/run.ts";
import {
  mailAggregate,
  queueAggregate,
  runAggregate,
  runId,
  scheduleAggregate,
  type Commit,
} from "../ids.ts";
import { reaches } from "../mail/address.ts";
import { allowMore, keepDay, newDay, rolesFreeAt, spend } from "./day-budget.ts";
import { readiness, withNews, type IssueFacts } from "./backlog.ts";
import { fileVault } from "./file-vault.ts";
import { historyKey, pastOf, remember } from "./past.ts";
import { freeSlot, placesTaken } from "./places.ts";
import { foundAgain, withOutside } from "./outside.ts";
import { workerOf, type Past, type Project } from "./project.ts";
import { askForProof, grounded, isGrounded, lookAgain, withNewRules } from "./ground.ts";
import { setUpDue, setUpHeard, tryNow, withNewSetUp, withoutWaiting } from "./set-up.ts";
import { closedBy, withWaits } from "./standstill.ts";
import { mayBegin, startTasks, taskRequested, taskWithdrawn } from "./tasks.ts";

export function stepProject(
  project: Project | undefined,
  event: Event,
  output: Output,
): Project | undefined {
  if (project === undefined) {
    return event.kind === "project-registered" ? register(event, output) : undefined;
  }
  const context = { at: event.at, output };
  switch (event.kind) {
    case "project-registered":
      return foundAgain(project, event, context);
    case "project-configured":
      return configure(project, event, output);
    case "config-rejected":
      return { ...project, configProblem: event.problem };
    case "forge-settings-observed":
      return { ...project, forgeSettings: event.settings };
    case "issues-observed":
      return observed(withSeenLabels(project, event.issues), event, context);
    case "attempts-found":
      return countAttempts(project, event);
    case "run-ended":
      return start(lift(forget(project, event), context), context);
    case "run-cleared":
      return start(
        { ...project, leaving: project.leaving.filter((left) => left.run !== event.run) },
        context,
      );
    case "head-landed":
      return headLanded(project, event, context);
    case "project-paused":
      return { ...project, paused: { by: event.by, why: event.why, at: event.at } };
    case "project-resumed":
      return resumed(project, context);
    case "account-limited":
      return limit(project, event);
    case "limit-answered":
      return start(limitAnswered(project, context), context);
    case "account-freed":
      return start(free(project, event, context), context);
    case "agent-wanted":
      return seekAgent(project, event, context);
    case "mail-posted":
      return handOut(project, event, context);
    case "usage-spent":
      return spend(project, event, context);
    case "task-requested":
      return start(taskRequested(project, event, context), context);
    case "vault-requested":
      fileVault(project, event.request, context);
      return project;
    case "task-withdrawn":
      return taskWithdrawn(project, event, context);
    case "deadline-passed":
      return freed(project, context);
    default:
      return groundEvent(project, event, context);
  }
}

/** Whether agents can succeed here at all, and may work. */
function groundEvent(project: Project, event: Event, context: Context): Project {
  switch (event.kind) {
    case "target-proven":
    case "target-failed":
    case "target-open":
    case "target-unproven":
    case "target-answered":
      return start(grounded(project, event, context), context);
    case "set-up-failed":
    case "set-up-passed":
    case "set-up-answered":
      return start(setUpHeard(project, event, context), context);
    case "budget-allowed":
      return start(allowMore(project, context), context);
    case "daemon-started":
      return lookAgain(tryNow(project, context), context);
    default:
      return withOutside(project, event, context);
  }
}

function observed(
  project: Project,
  event: Extract<ProjectEvent, { kind: "issues-observed" }>,
  context: Context,
): Project {
  const backlog = withNews(project.backlog, event);
  letActionsGo(project, backlog, context);
  const { backlogVersion = 0 } = project;
  const seen = {
    ...project,
    backlog,
    backlogVersion: backlog === project.backlog ? backlogVersion : backlogVersion + 1,
    // A run that ended after the comparison has changed the backlog: the next look compares again.
    seenRevision: event.seen?.backlogVersion === backlogVersion ? event.seen.revision : undefined,
    observedAt: event.at,
  };
  return start(wantActions(seen, context), context);
}

function resumed(project: Project, context: Context): Project {
  const open = { ...project, paused: undefined };
  return start(wantActions(open, context), context);
}

/**
 * The letter goes to a running agent with that address; without one it waits in the mailbox. The
 * mailbox hands it over: one that started in the same commit may have the letter by then.
 */
function handOut(
  project: Project,
  { letter }: Extract<ProjectEvent, { kind: "mail-posted" }>,
  { at, output }: Context,
): Project {
  const reader = project.active.find((active) => reaches(letter.to, workerOf(active)));
  if (reader === undefined) return project;
  const { run } = reader;
  output.tells.push({
    to: mailAggregate(project.name),
    event: { kind: "worker-started", at, run, ...workerOf(reader) },
  });
  return project;
}

/** A reason that kept the project from starting agents may be over. */
function freed(project: Project, context: Context): Project {
  const tried = setUpDue(lift(project, context), context);
  const open = newDay(keepDay(tried, context), context.at);
  return open === project ? project : start(open, context);
}

/** When a reason that keeps the project from starting agents is over. */
export function projectDeadline(project: Project): number | undefined {
  const { closed, setUp } = project;
  const known = [freeAt(project), closed?.until, setUp?.againAt, rolesFreeAt(project)];
  const times = known.filter((time) => time !== undefined);
  return times.length === 0 ? undefined : Math.min(...times);
}

function configure(
  project: Project,
  event: Extract<ProjectEvent, { kind: "project-configured" }>,
  output: Output,
): Project {
  const { config, source: configSource, hash: configHash, at } = event;
  const configured = { ...project, config, configSource, configHash, configProblem: undefined };
  tellSchedules(project, event, output);
  const context = { at, output };
  const known = withNewRules(project, configured, context);
  return start(keepDay(withNewSetUp(project, known, context), context), context);
}

/** Without schedules now and before, nothing is told. */
function tellSchedules(
  { name, config: before }: Project,
  { config, at }: Extract<ProjectEvent, { kind: "project-configured" }>,
  output: Output,
): void {
  const { schedules = [] } = config;
  if (schedules.length === 0 && (before?.schedules ?? []).length === 0) return;
  const event = { kind: "schedules-configured", at, project: name, schedules } as const;
  output.tells.push({ to: scheduleAggregate(name), event });
}

function register(
  event: Extract<ProjectEvent, { kind: "project-registered" }>,
  output: Output,
): Project {
  output.tells.push({
    to: queueAggregate(event.name),
    event: { kind: "queue-opened", at: event.at, project: event.name },
  });
  return {
    kind: "project",
    name: event.name,
    root: event.root,
    upstream: event.upstream,
    config: undefined,
    configSource: undefined,
    configProblem: undefined,
    paused: undefined,
    backlog: [],
    observedAt: undefined,
    tasks: [],
    active: [],
    leaving: [],
    history: {},
  };
}

/** No run may take the name of one that was there before: its folders and keys are on the forge. */
function countAttempts(
  project: Project,
  { issue, attempts }: Extract<ProjectEvent, { kind: "attempts-found" }>,
): Project {
  const past = pastOf(project, String(issue));
  if (past.attempts >= attempts) return project;
  return remember(project, String(issue), { ...past, attempts });
}

/** A run that ended frees its place; the next attempt continues its counts. */
function forget(project: Project, event: Extract<ProjectEvent, { kind: "run-ended" }>): Project {
  const ended = project.active.find((active) => active.run === event.run);
  if (ended === undefined) return project;
  const key = historyKey(ended);
  const attempts = project.history[key]?.attempts ?? 1;
  const left = {
    ...project,
    active: project.active.filter((active) => active !== ended),
    leaving: [...project.leaving, ended],
    // Until the backlog is seen again, the issue's labels are as old as the run.
    backlog: project.backlog.filter((issue) => issue.number !== ended.issue),
    backlogVersion: (project.backlogVersion ?? 0) + 1,
    seenRevision: undefined,
    ...waitsAfter(project, ended.issue, event.outcome),
    ...withoutWaiting(project, event),
  };
  return remember(left, key, {
    attempts,
    epoch: event.epoch,
    ...refusedFor(project, key, event.outcome),
    ...landedHead(project, key, event.head),
  });
}

/** Who refuses twice for the same thing is not listened to a third time. */
function refusedFor(project: Project, key: string, outcome: RunOutcome): Pick<Past, "refusedFor"> {
  if (outcome.kind !== "refused") return {};
  const before = project.history[key]?.refusedFor ?? [];
  return { refusedFor: [...new Set([...before, ...outcome.blockedBy])] };
}

function landedHead(project: Project, key: string, head: Commit | undefined): Partial<Past> {
  const last = head ?? project.history[key]?.landedHead;
  return last === undefined ? {} : { landedHead: last };
}

/** For the next run of the issue, and for one that has begun already. */
function headLanded(
  project: Project,
  { at, issue, head }: Extract<ProjectEvent, { kind: "head-landed" }>,
  { output }: Context,
): Project {
  for (const active of project.active.filter((one) => one.issue === issue)) {
    const to = runAggregate(project.name, active.run);
    output.tells.push({ to, event: { kind: "run-head-landed", at, head } });
  }
  const key = String(issue);
  return remember(project, key, { ...pastOf(project, key), landedHead: head });
}

/**
 * An agent's statement of what an issue waits for counts until that is closed, or a later run
 * tried.
 */
function waitsAfter(
  { waits = {} }: Project,
  issue: number | undefined,
  outcome: RunOutcome,
): Pick<Project, "waits"> {
  if (issue === undefined) return {};
  const { [String(issue)]: _, ...others } = waits;
  if (outcome.kind !== "refused" || outcome.blockedBy.length === 0) return { waits: others };
  return { waits: { ...others, [String(issue)]: outcome.blockedBy } };
}

/** Gives waiting tasks their runs, and fills free places with ready issues, in order. */
function start(project: Project, context: Context): Project {
  if (project.config === undefined || closedBy(project) !== undefined) return project;
  if (!isGrounded(project, context.at))
    return isWaiting(project, context) ? askForProof(project, context) : project;
  return startIssues(startTasks(project, context), context);
}

/** One pass: what a start changes for the other issues, it only takes from them. */
function startIssues(project: Project, context: Context): Project {
  let next = project;
  const isFull = (): boolean => placesTaken(next) >= (next.config?.parallel ?? 0);
  if (isFull()) return next;
  const taken = issuesTaken(project);
  for (const issue of project.backlog) {
    if (!isReady(next, issue, taken)) continue;
    next = startRun(next, issue, context);
    if (isFull()) return next;
  }
  return next;
}

/** Something could be started now. */
function isWaiting(project: Project, context: Context): boolean {
  if (project.tasks.some((task) => mayBegin(project, task, context))) return true;
  if (placesTaken(project) >= (project.config?.parallel ?? 0)) return false;
  const taken = issuesTaken(project);
  return project.backlog.some((issue) => isReady(project, issue, taken));
}

type Taken = ReadonlySet<number | undefined>;

const issuesTaken = ({ active, leaving }: Project): Taken =>
  new Set([...active, ...leaving].map((run) => run.issue));

const isReady = (project: Project, issue: IssueFacts, taken: Taken): boolean =>
  !taken.has(issue.number) &&
  readiness(withWaits(project, issue)).kind === "ready" &&
  hasAgent(project, issue);

/** Asked only while an account is limited: otherwise there is always one. */
const hasAgent = (project: Project, issue: IssueFacts): boolean =>
  project.accounts === undefined ||
  project.config === undefined ||
  agentForIssue(project, project.config, issue).kind === "given";

function startRun(project: Project, issue: IssueFacts, context: Context): Project {
  if (project.config === undefined) return project;
  const given = agentForIssue(project, project.config, issue);
  if (given.kind !== "given") return project;
  const { config, choice } = given;
  const past = pastOf(project, String(issue.number));
  const attempt = past.attempts + 1;
  const run = runId(`${issue.number}.${attempt}`);
  const slot = freeSlot(project);
  context.output.tells.push({
    to: runAggregate(project.name, run),
    event: {
      kind: "run-requested",
      at: context.at,
      project: project.name,
      run,
      issue: issue.number,
      title: issue.title,
      attempt,
      lastEpoch: past.epoch,
      slot,
      config,
      askedAt: issue.createdAt,
      ...(past.refusedFor === undefined ? {} : { refusedFor: past.refusedFor }),
      ...(past.landedHead === undefined ? {} : { landedHead: past.landedHead }),
      ...(choice === undefined ? {} : { choice }),
    },
  });
  const active = { run, issue: issue.number, slot };
  context.output.tells.push({
    to: mailAggregate(project.name),
    event: { kind: "worker-started", at: context.at, run, ...workerOf(active) },
  });
  const started = { ...project, active: [...project.active, active] };
  return remember(started, String(issue.number), { ...past, attempts: attempt });
}
