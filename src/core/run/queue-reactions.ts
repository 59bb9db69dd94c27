// A run and the merge queue: entering it, coming back from it, landing through it.
import * as say from "../words/messages.ts";
import type { Context } from "../context.ts";
import type { RunEvent } from "./run-event.ts";
import { projectAggregate, queueAggregate, type Commit } from "../ids.ts";
import { LABELS } from "../issue.ts";
import type { NewEntry, ReturnReason } from "../merge-queue/queue.ts";
import { land } from "./clear.ts";
import { escalate } from "./escalate.ts";
import { post } from "./message.ts";
import { isActive, warn, type Run } from "./run.ts";
import { leaveQueue } from "./tell.ts";
import { issueOf, nodeOf, titleOf } from "./work.ts";

type EventOf<K extends RunEvent["kind"]> = Extract<RunEvent, { kind: K }>;

/** Green, and approved or no review required: into the merge queue, without the agent. */
export function enqueue(run: Run, head: Commit, context: Context): Run {
  context.output.signals.push({
    kind: "MERGE_READY",
    at: context.at,
    project: run.project,
    identity: run.identity,
    run: run.id,
    detail: { branch: run.branch, head, pr_number: run.pr ?? null },
  });
  return keepPlace({ ...run, stage: { kind: "queued", head, out: true } }, context);
}

/**
 * Asked after every event: a run that a person stopped or holds leaves the queue, and comes back
 * when it goes on. What is being landed at that moment cannot be taken back.
 */
export function keepPlace(run: Run, context: Context): Run {
  const { stage, stopped, held } = run;
  if (stage.kind !== "queued") return run;
  const { out, ...inside } = stage;
  const isTheirs = stopped !== undefined || held !== undefined;
  if (isTheirs === (out === true)) return run;
  if (isTheirs) {
    leaveQueue(
      run,
      stopped === undefined ? `held by ${held?.by}` : `stopped by ${stopped.by}`,
      context,
    );
    return { ...run, stage: { ...stage, out: true } };
  }
  context.output.tells.push({
    to: queueAggregate(run.project),
    event: { kind: "entry-requested", at: context.at, entry: entryOf(run, stage.head) },
  });
  return { ...run, stage: inside };
}

const entryOf = (run: Run, head: Commit): NewEntry => ({
  ...nodeField(run),
  run: run.id,
  identity: run.identity,
  branch: run.branch,
  head,
  pr: run.pr,
  issue: issueOf(run),
  title: titleOf(run),
  priority: isUrgent(run) ? 1 : 0,
});

function nodeField(run: Run): Pick<NewEntry, "node"> {
  const node = nodeOf(run);
  return node === undefined ? {} : { node };
}

const isUrgent = ({ work }: Run): boolean =>
  work.kind === "issue" && work.labels.includes(LABELS.priority);

export function entryReturned(run: Run, event: EventOf<"entry-returned">, context: Context): Run {
  if (run.stage.kind !== "queued" || run.stage.head !== event.head) return run;
  return sendBack(run, event.reason, context);
}

/** A conflict or a red combination goes back to the author, three times; then a person is asked. */
export function sendBack(run: Run, reason: ReturnReason, context: Context): Run {
  const back: Run = { ...run, stage: { kind: "working" } };
  if (reason.kind === "held") return escalate(back, { reason: reason.why }, context);
  const { limits } = run.config;
  const counts = { ...run.counts, conflicts: run.counts.conflicts + 1 };
  if (counts.conflicts > limits.conflictsMax) {
    const times = `sent back ${counts.conflicts} times by the merge queue`;
    const asked = { reason: `${times}: ${describe(reason)}` };
    // For every answer of the person: without this message the agent cannot know what to merge.
    const told = reason.kind === "overtaken" ? tell({ ...back, counts }, reason, context) : back;
    return escalate({ ...told, counts }, asked, context);
  }
  return tell({ ...back, counts }, reason, context);
}

const tell = (run: Run, reason: Fixable, context: Context): Run =>
  post(run, newsOf(run, reason, run.config.target), context);

type Fixable = Exclude<ReturnReason, { kind: "held" }>;

function newsOf({ branch }: Run, reason: Fixable, target: string) {
  switch (reason.kind) {
    case "conflict":
      return { kind: "conflict", text: say.conflict(reason.files, target) } as const;
    case "overtaken":
      return { kind: "conflict", text: say.overtaken({ branch, ...reason }) } as const;
    case "tests":
      return { kind: "tests-failed", text: say.testsFailed(reason.outcome, target) } as const;
  }
}

function describe(reason: Fixable): string {
  switch (reason.kind) {
    case "conflict":
      return `conflicts in ${reason.files.slice(0, 5).join(", ")}`;
    case "overtaken":
      return `other people keep pushing to the branch, which is at ${reason.theirs} there`;
    case "tests":
      return "CI fails together with what has landed since";
  }
}

/** The end, unless the agent has committed more meanwhile: then the rest has to land as well. */
export function entryLanded(run: Run, event: EventOf<"entry-landed">, context: Context): Run {
  if (!isActive(run)) return landedLate(run, event, context);
  const waiting = run.stage.kind === "queued" ? run.stage.head : run.head;
  if (waiting === event.head) return land(run, event.commit, context);
  return warn(run, `${event.head} landed; newer commits of the branch did not yet`, context);
}

/**
 * Its issue was closed or taken while the landing was under way. Where it is opened again, the next
 * run must not take what has landed for work of its own.
 */
function landedLate(run: Run, { at, head }: EventOf<"entry-landed">, { output }: Context): Run {
  if (run.work.kind === "issue" && run.outcome?.kind !== "landed") {
    output.tells.push({
      to: projectAggregate(run.project),
      event: { kind: "head-landed", at, issue: run.work.number, head },
    });
  }
  return run;
}

/** An earlier run of this issue landed it after all. */
export const headLanded = (run: Run, { head }: EventOf<"run-head-landed">): Run => ({
  ...run,
  landedHead: head,
});
