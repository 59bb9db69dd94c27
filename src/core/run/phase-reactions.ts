// What Pawl does when an agent writes a phase. A phase is a claim: the branch
// itself is fetched before anything is believed.
import type { Context } from "../context.ts";
import type { Event } from "../event.ts";
import type { RunEvent } from "./run-event.ts";
import type { Commit } from "../ids.ts";
import { outsideOf } from "../merge-queue/protected.ts";
import { isSteering } from "../review/docs-only.ts";
import * as say from "../words/messages.ts";
import { agentAsks, escalate } from "./escalate.ts";
import { block, finish, land } from "./clear.ts";
import { recallBranch, leaveReview, unfetched } from "./tell.ts";
import { parsePhase, parseRefusal, type Phase, type Refusal } from "./phase.ts";
import { openMessages, post } from "./message.ts";
import { progressed } from "./stuck.ts";
import { isActive, isAttended, type Run, type TaskWork } from "./run.ts";
import { endSession } from "./session-life.ts";
import { fetchOf, withFetch } from "./stage.ts";
import { offer } from "./task-reactions.ts";

type EventOf<K extends RunEvent["kind"]> = Extract<RunEvent, { kind: K }>;

/**
 * Each new daemon reads the phase file again. Nothing may follow from that, not even what only the
 * time makes due: the journal would name the old phase as its cause.
 */
export const isTakenIn = ({ session }: Run, event: Event): boolean =>
  event.kind === "phase-observed" && session?.phaseStamp === event.stamp;

export function phaseObserved(run: Run, event: EventOf<"phase-observed">, context: Context): Run {
  const { session } = run;
  if (session === undefined) return run;
  if (run.stage.kind === "landed") return agentDone(run, event);
  if (!isActive(run)) return run;
  const { at } = context;
  const seen = progressed({ ...run, session: { ...session, phaseStamp: event.stamp } }, context);
  const parsed = parsePhase(event.text);
  if (parsed.kind === "unwritten") return seen;
  if (parsed.kind === "invalid") return explain(seen, parsed.line, context);
  const ordinal = (run.phase?.ordinal ?? 0) + 1;
  const phase = { ordinal, phase: parsed.phase, reason: parsed.reason, at };
  const spoken: Run = { ...promptRead(seen), phase, ...withResult(run, event.result) };
  const refusal =
    parsed.phase === "failed" && run.work.kind === "issue"
      ? parseRefusal(parsed.reason, event.result)
      : undefined;
  if (refusal !== undefined) return refuseIssue(spoken, refusal, context);
  return react(spoken, parsed.phase, context);
}

/** Only the answer to a task is read: for an issue the branch counts. */
const withResult = ({ work }: Run, result: EventOf<"phase-observed">["result"]): Partial<Run> =>
  work.kind === "task" ? { work: { ...work, result } } : {};

/** Its work is on the target and the agent says so too: the time to exit need not pass. */
function agentDone(run: Run, event: EventOf<"phase-observed">): Run {
  const parsed = parsePhase(event.text);
  const done = parsed.kind === "phase" && parsed.phase === "done";
  return done && !isAttended(run) ? endSession(run, "completed") : run;
}

/** Said once until it is read: an agent that writes nonsense in a loop fills no inbox. */
function explain(run: Run, line: string, context: Context): Run {
  if (openMessages(run).some((message) => message.kind === "notice")) return run;
  return post(run, { kind: "notice", text: say.invalidPhase(line) }, context);
}

/** Writing a phase shows that everything told in this life's prompt was read. */
function promptRead(run: Run): Run {
  const { session } = run;
  if (session === undefined) return run;
  return {
    ...run,
    session: { ...session, spoke: true },
    messages: run.messages.map((message) => {
      if (message.status === "told") return { ...message, status: "acknowledged" };
      // An agent that continues without moving the file has seen it, but nothing proves it.
      return message.status === "delivered" ? { ...message, status: "unconfirmed" } : message;
    }),
  };
}

function react(run: Run, phase: Phase, context: Context): Run {
  switch (phase) {
    case "awaiting_ci":
    case "awaiting_review":
    case "done":
      return claimReady(run, context);
    case "escalate":
      return agentAsks(
        run,
        { reason: run.phase?.reason ?? "the agent asks for a person" },
        context,
      );
    case "failed":
      return block(run, run.phase?.reason ?? "the agent gave up without a reason", context);
  }
}

/**
 * The spool and the phase file are read one after the other, so that it cannot be known what an
 * agent said last: a request for help is open until it is answered. The agent writes a phase again
 * when it has the answer.
 */
function claimReady(run: Run, context: Context): Run {
  if (run.stage.kind === "escalated" && run.stage.escalation.stays === true) return run;
  if (isAnswered(run)) return offer(run, run.work, context);
  return { ...run, stage: withFetch(run.stage, run.phase?.ordinal ?? 0) };
}

/** For such a task the commits in its workspace do not count. */
const isAnswered = (run: Run): run is Run & { work: TaskWork } =>
  run.work.kind === "task" && run.work.task.output === "result";

/**
 * Asked after every event: what others say of the last head does not make the agent's newer word
 * unread. Only its own result, a question to a person and the end of the run do.
 */
export function keepFetch(before: Run, run: Run, event: Event): Run {
  const ordinal = fetchOf(before.stage);
  if (ordinal === undefined || before.stage === run.stage) return run;
  if (event.kind === "branch-fetched" || run.stage.kind === "escalated") return run;
  return fetchOf(run.stage) === undefined ? { ...run, stage: withFetch(run.stage, ordinal) } : run;
}

export function branchFetched(run: Run, event: EventOf<"branch-fetched">, context: Context): Run {
  if (fetchOf(run.stage) !== event.ordinal || !isActive(run)) return run;
  const next = unfetched(run);
  // A head that was published had commits of its own, also when the target has them all by now.
  const known = run.head === event.head;
  const { landedAs } = run;
  if (known && landedAs?.head === event.head) return land(next, landedAs.commit, context);
  // A branch without commits is "landed" as well: that proves nothing. Nor does what an earlier run
  // landed and left behind: the issue was opened again for more than that.
  const isOld = event.head === run.landedHead;
  if ((event.ahead === 0 || isOld) && !known) {
    return next.work.kind === "task"
      ? offer(next, next.work, context)
      : sendBack(next, { why: "no commits", ...nothingThere(run.branch) }, context);
  }
  const maxMb = run.config.limits.branchMaxMb ?? Infinity;
  if ((event.bytes ?? 0) > maxMb * BYTES_PER_MB) {
    const mb = Math.ceil((event.bytes ?? 0) / BYTES_PER_MB);
    return sendBack(next, { why: "too large", ...tooLarge(run.branch, { mb, maxMb }) }, context);
  }
  if (event.unlisted === true) {
    return sendBack(next, { why: "unknown files", ...unlistedFiles(run.branch) }, context);
  }
  const others = notItsOwn(run, event.paths ?? []);
  if (others.length > 0) {
    return sendBack(next, { why: "other files", ...otherFiles(run.branch, others) }, context);
  }
  const done = run.phase?.phase === "done";
  if (done && known && event.landed) {
    return land(recallBranch(next, "another person landed it", context), event.head, context);
  }
  // For a task "done" is the word for "ready to land".
  const early = done && next.work.kind === "issue";
  const told = early ? tellNotMerged(next, context) : next;
  if (known && (!isAgentsTurn(told) || isSentBack(told))) return told;
  const { role, instructions = role?.instructions } = run.config.review;
  const steers = (event.paths ?? []).some((path) => isSteering(path, instructions));
  return publish({ ...told, steers: steers || undefined }, event.head, context);
}

/**
 * "I wait for a review" of a head whose review has asked for changes: it was written before that was
 * read. Taken for a request it would have the same review told a second time. A review that came
 * while a person was asked was not told yet.
 */
const isSentBack = ({ stage, phase, review, reviewTold, head }: Run): boolean =>
  (stage.kind === "working" ||
    (stage.kind === "escalated" && stage.escalation.host !== undefined)) &&
  phase?.phase === "awaiting_review" &&
  review !== undefined &&
  review.head === head &&
  review.id === reviewTold;

/** The same head again is a new request only where it is the agent's turn. */
const isAgentsTurn = (run: Run): boolean =>
  run.stage.kind === "working" || run.stage.kind === "escalated";

const BYTES_PER_MB = 1_000_000;

type SentBack = { why: string; text: string; reason: string };

const nothingThere = (branch: string): Omit<SentBack, "why"> => ({
  text: say.noCommits(branch),
  reason: "the agent keeps asking for CI without a commit",
});

const tooLarge = (branch: string, size: { mb: number; maxMb: number }): Omit<SentBack, "why"> => ({
  text: say.branchTooLarge(branch, size),
  reason: `the branch adds ${size.mb} MB to the repository, and [limits] branch_mb allows ${size.maxMb}`,
});

/** A role keeps a journal or a memory: what else it changes is no part of its task. */
const notItsOwn = ({ work }: Run, paths: string[]): string[] =>
  work.kind === "task" && work.task.files !== undefined ? outsideOf(paths, work.task.files) : [];

const otherFiles = (branch: string, files: string[]): Omit<SentBack, "why"> => ({
  text: say.otherFiles(branch, files),
  reason: `the branch changes files that its task does not allow: ${files.slice(0, 5).join(", ")}`,
});

const unlistedFiles = (branch: string): Omit<SentBack, "why"> => ({
  text: say.unlistedFiles(branch),
  reason: "the files that the branch changes cannot all be listed",
});

/** Said as often as an idle agent is nudged; then a person is asked. */
function sendBack(run: Run, { why, text, reason }: SentBack, context: Context): Run {
  const back: Run = { ...recallBranch(run, why, context), stage: { kind: "working" } };
  const { counts, config } = back;
  if (counts.nudges >= config.limits.nudgesMax) return escalate(back, { reason }, context);
  const counted: Run = { ...back, counts: { ...counts, nudges: counts.nudges + 1 } };
  return post(counted, { kind: "notice", text }, context);
}

function tellNotMerged(run: Run, context: Context): Run {
  if (run.counts.toldNotMerged) return run;
  const counts = { ...run.counts, toldNotMerged: true };
  return post({ ...run, counts }, { kind: "not-merged", text: say.notMerged() }, context);
}

function publish(run: Run, head: Commit, context: Context): Run {
  const free = recallBranch(run, "new commits", context);
  if (run.head !== head && run.stage.kind === "reviewing")
    leaveReview(run, { over: false }, context);
  const ordinal = run.phase?.ordinal ?? 0;
  const counts = { ...run.counts, nudges: 0, stuck: 0 };
  return { ...free, head, counts, stage: { kind: "publishing", head, ordinal } };
}

// What becomes of an issue that its agent refused: a comment once, a label so that no other run
// takes it, and its place is freed. The workspace is removed after a last checkpoint.

export function refuseIssue(run: Run, said: Refusal, context: Context): Run {
  const { work } = run;
  if (!isActive(run) || work.kind !== "issue") return run;
  const refusal = withNews(said, [work.number, ...(run.refusedFor ?? [])]);
  if (refusal === undefined)
    return block(run, `refused again: ${say.refusedBecause(said)}`, context);
  const blockedBy = refusal.kind === "unmet_dependency" ? refusal.blockedBy : [];
  const why = say.refusedBecause(refusal);
  return {
    ...finish(run, { kind: "refused", why, blockedBy }, context),
    stage: {
      kind: "blocking",
      reason: why,
      // The next attempt begins on the target as it is then.
      clearing: { issueSettled: false, sessionGone: false, workspaceGone: false },
      refusal,
    },
  };
}

/** Itself, or what it was put back for before: to wait for that again would never end. */
function withNews(refusal: Refusal, known: number[]): Refusal | undefined {
  if (refusal.kind !== "unmet_dependency") return refusal;
  const blockedBy = refusal.blockedBy.filter((number) => !known.includes(number));
  return blockedBy.length === 0 ? undefined : { ...refusal, blockedBy };
}
