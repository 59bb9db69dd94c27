// The beginning of a run. An issue is claimed before anything else is done; a task needs no claim.
// An agent starts only in a workspace whose checkout was reported complete.
import type { ProjectConfig } from "../config.ts";
import type { Context } from "../context.ts";
import type { RunEvent } from "./run-event.ts";
import { projectAggregate } from "../ids.ts";
import { newHook } from "../session/hook.ts";
import { ACTION_LIMITS, taskIdentity, type Role, type Task } from "../task.ts";
import { branchName, titleOf, type Run, type Work } from "./run.ts";

type EventOf<K extends RunEvent["kind"]> = Extract<RunEvent, { kind: K }>;

export function requestRun(event: EventOf<"run-requested">): Run {
  const { issue: number, title } = event;
  const work: Work = { kind: "issue", number, title, body: "", labels: [], url: undefined };
  const name = String(number);
  const run = newRun(event, { role: "dev", name, work, branch: branchName(name, title) });
  const { refusedFor, landedHead, askedAt, choice } = event;
  return {
    ...run,
    ...(choice === undefined ? {} : { choice }),
    ...(askedAt === undefined ? {} : { askedAt }),
    ...(refusedFor === undefined ? {} : { refusedFor }),
    ...(landedHead === undefined ? {} : { landedHead }),
  };
}

export function giveTask(event: EventOf<"task-given">): Run {
  const { task, attempt } = event;
  const config = configFor(task, event.config);
  const run = newRun(
    { ...event, config },
    {
      role: task.role,
      name: task.name,
      work: { kind: "task", task, refusals: 0, result: undefined },
      // Each attempt starts over: the work of an earlier one is not resumed.
      branch: `pawl/${taskIdentity(task)}-${attempt}`,
    },
  );
  const { choice, landedHead } = event;
  return {
    ...run,
    ...(choice === undefined ? {} : { choice }),
    ...(landedHead === undefined ? {} : { landedHead }),
    stage: { kind: "preparing" },
  };
}

/** Settings of the task that apply to this run only. */
function configFor({ limits, role }: Task, config: ProjectConfig): ProjectConfig {
  const { stuckMs, actionIdleMs = ACTION_LIMITS.idleMs } = config.limits;
  // A step of a formula names only its time.
  const usual = role === "action" ? actionIdleMs : stuckMs;
  const { lifeMs = config.limits.lifeMs, idleMs = usual } = limits ?? {};
  return {
    ...config,
    limits: { ...config.limits, lifeMs, stuckMs: idleMs },
  };
}

type Begun = Omit<EventOf<"run-requested">, "kind" | "issue" | "title">;

function newRun(event: Begun, its: { role: Role; name: string; work: Work; branch: string }): Run {
  return {
    kind: "run",
    id: event.run,
    project: event.project,
    ...its,
    identity: `${its.role}-${its.name}`,
    attempt: event.attempt,
    slot: event.slot,
    config: event.config,
    requestedAt: event.at,
    stage: { kind: "claiming" },
    base: undefined,
    head: undefined,
    session: undefined,
    // Named from the start, so that all runs have one shape: copies of such objects are made faster.
    lives: undefined,
    epoch: event.lastEpoch,
    phase: undefined,
    pr: undefined,
    check: undefined,
    review: undefined,
    messages: [],
    nextMessage: 1,
    counts: {
      ciFixes: 0,
      infraRetries: 0,
      reviewRounds: 0,
      conflicts: 0,
      nudges: 0,
      stuck: 0,
      handOffs: 0,
      toldNotMerged: false,
    },
    crashes: [],
    respawnAt: undefined,
    stopped: undefined,
    held: undefined,
    warnings: [],
    checkpoint: undefined,
    unsaved: undefined,
    handedOffAt: undefined,
    hook: newHook(titleOf(its), event.at),
    unready: undefined,
    longestPauseMs: 0,
    outcome: undefined,
    endedAt: undefined,
  };
}

export function claimed(run: Run, event: EventOf<"issue-claimed">): Run {
  if (run.stage.kind !== "claiming") return run;
  const { number, title, body, labels, url, author } = event.issue;
  const { comments = [], own, earlier, attempt, goesOn } = event;
  const known = { number, title, body, labels, url, author, comments };
  const work: Work = {
    kind: "issue",
    ...known,
    ...(own === undefined ? {} : { own }),
    ...(earlier === undefined ? {} : { earlier }),
    ...(attempt === undefined ? {} : { attempt }),
  };
  // A run after a refusal resumes nothing.
  const isOn = goesOn !== undefined && run.refusedFor === undefined;
  return { ...run, work, ...(isOn ? goesOn : {}), stage: { kind: "preparing" } };
}

/** The project asks a person; no attempt is lost. */
export function unready(run: Run, event: EventOf<"workspace-unready">, context: Context): Run {
  if (run.stage.kind !== "preparing") return run;
  const { project, id } = run;
  const { at, failure } = event;
  context.output.tells.push({
    to: projectAggregate(project),
    event: { kind: "set-up-failed", at, run: id, failure },
  });
  return { ...run, unready: "waits" };
}

export function prepareAgain(run: Run, event: EventOf<"set-up-wanted">): Run {
  if (run.stage.kind !== "preparing" || run.unready !== "waits") return run;
  const { work } = run;
  const config = work.kind === "task" ? configFor(work.task, event.config) : event.config;
  const { agent } = run.config;
  return { ...run, config: { ...config, agent }, unready: "tried" };
}

export function prepared(run: Run, event: EventOf<"workspace-prepared">, context: Context): Run {
  if (run.stage.kind !== "preparing") return run;
  const { project, id, unready: wasUnready } = run;
  if (wasUnready !== undefined) {
    const told = { kind: "set-up-passed", at: event.at, run: id } as const;
    context.output.tells.push({ to: projectAggregate(project), event: told });
  }
  // What an earlier try has made is not work.
  const isFound = event.found && wasUnready === undefined;
  const isBegun = isFound || event.head !== event.base;
  const { workspace = run.config.workspace } = event;
  return {
    ...run,
    base: event.base,
    config: { ...run.config, workspace },
    ...(wasUnready === undefined ? {} : { unready: undefined }),
    ...(isBegun ? { begun: true as const } : {}),
    stage: { kind: "working" },
  };
}
