// Tasks of a project: accepted once per key, given to a run as soon as their identity is free, and
// dropped when they are withdrawn. The asker decides how many tasks of a role there are.
import type { Context } from "../context.ts";
import type { ProjectEvent } from "./project-event.ts";
import { mailAggregate, runAggregate, runId } from "../ids.ts";
import { taskIdentity, taskProblem, type Task } from "../task.ts";
import { agentForTask } from "./accounts.ts";
import { spentRole } from "./day-budget.ts";
import { historyKey, pastOf, remember } from "./past.ts";
import { freeSlot, placesTaken } from "./places.ts";
import { workerOf, type Project } from "./project.ts";

type EventOf<K extends ProjectEvent["kind"]> = Extract<ProjectEvent, { kind: K }>;

const WAITING_MAX = 200;

/** Refused at once where it cannot be done: the asker always gets an answer. */
export function taskRequested(
  project: Project,
  { task }: EventOf<"task-requested">,
  context: Context,
): Project {
  if (isKnown(project, task.key)) return project;
  const problem =
    project.tasks.length >= WAITING_MAX
      ? `${WAITING_MAX} tasks are already waiting`
      : taskProblem(task);
  if (problem === undefined) return { ...project, tasks: [...project.tasks, task] };
  context.output.tells.push({
    to: task.by,
    event: {
      kind: "task-finished",
      at: context.at,
      key: task.key,
      run: undefined,
      outcome: { kind: "failed", reason: problem },
    },
  });
  return project;
}

const isKnown = ({ tasks, active }: Project, key: string): boolean =>
  tasks.some((task) => task.key === key) || active.some((run) => run.task?.key === key);

export function taskWithdrawn(
  project: Project,
  event: EventOf<"task-withdrawn">,
  context: Context,
): Project {
  const run = project.active.find(({ task }) => task?.key === event.key)?.run;
  if (run !== undefined) {
    context.output.tells.push({ to: runAggregate(project.name, run), event });
  }
  const tasks = project.tasks.filter((task) => task.key !== event.key);
  return tasks.length === project.tasks.length ? project : { ...project, tasks };
}

/** Gives every task that can begin a run of its own. */
export function startTasks(project: Project, context: Context): Project {
  return project.tasks.reduce(
    (next, task) => (mayBegin(next, task, context) ? begin(next, task, context) : next),
    project,
  );
}

export function mayBegin(project: Project, task: Task, { at }: Context): boolean {
  const identity = taskIdentity(task);
  const runs = [...project.active, ...project.leaving];
  if (runs.some((run) => run.task?.identity === identity)) return false;
  if (spentRole(project, task.role, at) !== undefined) return false;
  if (project.config !== undefined && agentForTask(project, project.config, task).kind === "wait")
    return false;
  const { parallel } = project.config ?? { parallel: 0 };
  return task.takesPlace !== true || placesTaken(project) < parallel;
}

function begin(project: Project, task: Task, context: Context): Project {
  const { name } = project;
  if (project.config === undefined) return project;
  const agent = agentForTask(project, project.config, task);
  if (agent.kind === "wait") return project;
  const { config, choice } = agent;
  const identity = taskIdentity(task);
  const { role } = task;
  const given = { key: task.key, identity, role, takesPlace: task.takesPlace === true };
  const key = historyKey({ task: given });
  const past = pastOf(project, key);
  const attempt = past.attempts + 1;
  const landed = past.landedHead === undefined ? {} : { landedHead: past.landedHead };
  const run = runId(`${identity}.${attempt}`);
  const slot = freeSlot(project);
  const { at } = context;
  context.output.tells.push({
    to: runAggregate(name, run),
    event: {
      kind: "task-given",
      at,
      project: name,
      run,
      task,
      attempt,
      lastEpoch: past.epoch,
      slot,
      config,
      ...landed,
      ...(choice === undefined ? {} : { choice }),
    },
  });
  const active = { run, slot, task: given };
  context.output.tells.push({
    to: mailAggregate(name),
    event: { kind: "worker-started", at, run, ...workerOf(active) },
  });
  const begun = {
    ...project,
    tasks: project.tasks.filter((other) => other !== task),
    active: [...project.active, active],
  };
  return remember(begun, key, { attempts: attempt, epoch: past.epoch, ...landed });
}
