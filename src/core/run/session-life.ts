// Starting and ending one life of a run's agent. What follows an end is decided in proceed.ts.
import type { Context } from "../context.ts";
import { runAggregate, sessionId } from "../ids.ts";
import { isLive, type ExitFacts, type Session, type Verdict } from "../session/session.ts";
import { openMessages } from "./post.ts";
import { isWaiting, type Run } from "./run.ts";

/** Starts the next life. The epoch is taken here, before anything runs. */
export function spawn(run: Run, context: Context): Run {
  const epoch = run.epoch + 1;
  const aggregate = runAggregate(run.project, run.id);
  const session: Session = {
    id: sessionId(run.project, run.identity, epoch),
    epoch,
    status: "spawning",
    startedAt: context.at,
    process: undefined,
    pane: undefined,
    lastSeen: context.at,
    lastProgress: context.at,
    attached: false,
    phaseStamp: undefined,
    spoke: false,
    exit: undefined,
    verdict: undefined,
    predecessor: run.session?.id,
  };
  context.output.effects.push({
    key: `${aggregate}:spawn:${epoch}`,
    lane: aggregate,
    effect: {
      kind: "spawn-session",
      run: run.id,
      epoch,
      tell: openMessages(run).map(({ id, text }) => ({ id, text })),
    },
  });
  context.output.signals.push({
    kind: "AGENT_REGISTERED",
    at: context.at,
    project: run.project,
    identity: run.identity,
    run: run.id,
    detail: { session_id: session.id, epoch, predecessor_id: session.predecessor ?? null },
  });
  return { ...run, epoch, session, respawnAt: undefined };
}

/** Ends the current life on Pawl's decision. */
export function endSession(run: Run, verdict: Verdict, context: Context): Run {
  const { session } = run;
  if (!isLive(session) || session.status === "ending") return run;
  return ending(run, { ...session, verdict }, context);
}

/** The agent's process is gone. Its verdict is read off the strongest evidence there is. */
export function sessionExited(run: Run, exit: ExitFacts | undefined, context: Context): Run {
  const { session } = run;
  if (!isLive(session) || session.status === "ending") return run;
  const verdict = verdictOf(run, exit);
  const next = ending(run, { ...session, exit, verdict }, context);
  return verdict === "crashed" ? countCrash(next, context) : next;
}

function verdictOf(run: Run, exit: ExitFacts | undefined): Verdict {
  if (exit === undefined || exit.code !== 0) return "crashed";
  return isWaiting(run) ? "completed" : "incomplete";
}

/** Leftovers are ended and the work is saved before anything else happens. */
function ending(run: Run, session: Session, context: Context): Run {
  const aggregate = runAggregate(run.project, run.id);
  context.output.effects.push(
    {
      key: `${aggregate}:end:${session.epoch}`,
      lane: aggregate,
      effect: {
        kind: "end-session",
        marks: {
          run: run.id,
          epoch: session.epoch,
          tmuxSession: session.pane?.tmuxSession,
          process: session.process,
        },
        graceMs: run.config.limits.graceMs,
      },
    },
    {
      key: `${aggregate}:checkpoint:end:${session.epoch}`,
      lane: aggregate,
      effect: {
        kind: "checkpoint",
        identity: run.identity,
        reason: `session ${session.epoch} ended`,
      },
    },
  );
  return { ...run, session: { ...session, status: "ending" } };
}

function countCrash(run: Run, context: Context): Run {
  const { crashWindowMs } = run.config.limits;
  context.output.signals.push({
    kind: "AGENT_CRASHED",
    at: context.at,
    project: run.project,
    identity: run.identity,
    run: run.id,
    detail: { session_id: run.session?.id, exit: run.session?.exit ?? null },
  });
  const recent = run.crashes.filter((crash) => crash.at > context.at - crashWindowMs);
  return { ...run, crashes: [...recent, { at: context.at, head: run.head }] };
}
