// When the present life of an agent makes room for the next one: its context fills, the budget of its
// run is spent, or another agent continues because this one's account is limited or cannot start.
import type { Context } from "../context.ts";
import { projectAggregate } from "../ids.ts";
import { budgetSpent, checkpointNow, handOffRequest } from "../words/messages.ts";
import { isAbove, symptomsOf, urgencyOf, type Urgency } from "../session/context-use.ts";
import { announce } from "./tell.ts";
import { escalate } from "./escalate.ts";
import { deliverQueued, post } from "./message.ts";
import { withEvidence, endSession, othersOf } from "./session-life.ts";
import { isActive, isAtWork, isAttended, type Run } from "./run.ts";
import { NOTHING, isNothing, overspent, plus, since, type Spent } from "../budget.ts";
import { isLive } from "../session/session.ts";
import type { UsageDetail } from "../usage.ts";
import { accountOf } from "../agent-choice.ts";
import type { RunEvent } from "./run-event.ts";

// Context cycling: an agent whose context fills is told to save its work, then asked to leave for a
// successor. It has a minute; after that its work is saved and it is ended.
//
//   context high ─> requested ─> saved (its hook is updated) ─> gone ─> a continuation starts
//                        └──── a minute later: ORCHESTRATOR_STUCK, ended ──────^

/** What is known of the context has changed: who must hear of it does, once per level and life. */
export function contextChanged(run: Run, context: Context): Run {
  const { session } = run;
  if (session?.status !== "live" || !isActive(run)) return run;
  const use = session.evidence.context;
  const urgency = urgencyOf(use, run.config.limits);
  // A context that was emptied (compacted) may fill again, and is spoken of again.
  if (urgency === "none" && use.announced !== "none") {
    return withEvidence(run, { context: { ...use, announced: "none" } });
  }
  if (!isAbove(urgency, use.announced)) return handOffIfDue(run, urgency, context);
  announce(
    run,
    {
      kind: "CONTEXT_WARNING",
      detail: { urgency, percent: use.percent ?? null, symptoms: symptomsOf(use) },
    },
    context,
  );
  const told = withEvidence(run, { context: { ...use, announced: urgency } });
  if (urgency !== "medium") return handOffIfDue(told, urgency, context);
  return post(told, { kind: "checkpoint-now", text: checkpointNow(use.percent) }, context);
}

/** A person at the terminal is not handed off; the next report asks again. */
function handOffIfDue(run: Run, urgency: Urgency, context: Context): Run {
  if (urgency !== "high" || isAttended(run) || run.session?.handOff !== undefined) return run;
  return requestHandOff(run, handOffRequest(run.config.limits.handOffMs), context);
}

/** `text` says why it has to leave, and how. */
export function requestHandOff(run: Run, text: string, context: Context): Run {
  const { session, config } = run;
  if (session === undefined) return run;
  const { at } = context;
  const handOff = { requestedAt: at, deadline: at + config.limits.handOffMs, saved: false };
  announce(run, { kind: "HANDOFF_REQUESTED", detail: { epoch: session.epoch } }, context);
  const requested: Run = { ...run, session: { ...session, handOff } };
  return post(requested, { kind: "hand-off", text, urgent: true }, context);
}

/** It has written down where it stands; when its turn is over too, nothing keeps it. */
export function savedForHandOff(run: Run): Run {
  const { session } = run;
  if (session?.handOff === undefined) return run;
  return { ...run, session: { ...session, handOff: { ...session.handOff, saved: true } } };
}

export function leaveIfSaved(run: Run): Run {
  const { session } = run;
  if (session?.handOff?.saved !== true || session.evidence.stopped?.background !== 0) return run;
  return endSession(run, "handed_off");
}

/** It did not exit in time. A person who attached meanwhile decides. */
export function handOffOverdue(run: Run, context: Context): Run {
  const { session } = run;
  if (session?.handOff === undefined) return run;
  if (isAttended(run)) return { ...run, session: { ...session, handOff: undefined } };
  const { requestedAt } = session.handOff;
  const detail = { reason: "no clean exit after the hand-off request", requested_at: requestedAt };
  announce(run, { kind: "ORCHESTRATOR_STUCK", detail }, context);
  return endSession(run, "handed_off");
}

/** Hand-offs that change nothing are a circle: each new life would fill its context again. */
export function countHandOff(run: Run, context: Context): Run {
  const moved = run.checkpoint !== run.handedOffAt;
  const handOffs = moved ? 1 : run.counts.handOffs + 1;
  const counted: Run = {
    ...run,
    counts: { ...run.counts, handOffs },
    handedOffAt: run.checkpoint,
  };
  if (handOffs <= run.config.limits.crashesMax) return counted;
  const reason = `the context filled up ${handOffs} times without any change in the workspace`;
  return escalate(counted, { reason }, context);
}

// What a run has used, and what happens when its budget is spent: the agent saves its work and
// leaves, and a person decides whether it goes on. The project hears of every sum, for the day.

/** `used`: by the current life so far. Only what is new counts, however often it is told. */
export function usageObserved(run: Run, used: Spent, context: Context): Run {
  const { session, spending } = run;
  if (session === undefined) return run;
  const known = spending?.life.epoch === session.epoch ? spending.life : NOTHING;
  const fresh = since(known, used);
  if (isNothing(fresh)) return run;
  const tells = { kind: "usage-spent", at: context.at, role: run.role, ...fresh } as const;
  context.output.tells.push({ to: projectAggregate(run.project), event: tells });
  return {
    ...run,
    spending: {
      total: plus(spending?.total ?? NOTHING, fresh),
      life: { ...known, epoch: session.epoch, ...plus(known, fresh) },
      from: spending?.from ?? NOTHING,
    },
  };
}

/** The same from the agent itself. Its own words are kept: the daemon estimates the cost from them. */
export function usageTold(run: Run, told: Spent & UsageDetail, context: Context): Run {
  // A gateway counts tokens and multiplies them by list prices.
  const isEstimated = run.config.gateway !== undefined && told.usd > 0;
  const used = isEstimated ? { ...told, estimatedUsd: told.usd } : told;
  const counted = usageObserved(run, used, context);
  const { session, spending } = counted;
  if (spending === undefined || spending.life.epoch !== session?.epoch) return counted;
  const { life } = spending;
  if (isNothing(since(life.told ?? NOTHING, used))) return counted;
  const { tokens, usd, model, parts } = used;
  const detail = {
    ...(model === undefined ? {} : { model }),
    ...(parts === undefined ? {} : { parts }),
  };
  const kept = { tokens, usd, ...detail };
  return { ...counted, spending: { ...spending, life: { ...life, told: kept } } };
}

/** The limit of its budget that is spent; no life of its agent starts any more. */
export const reached = ({ spending, config }: Run): string | undefined =>
  spending && overspent(config.budget?.run, spending.total, spending.from);

/** Asked after every event. Work that only waits for CI or the queue costs nothing, and continues. */
export function keepBudget(run: Run, context: Context): Run {
  const { session } = run;
  if (!isAtWork(run)) return run;
  const limit = reached(run);
  if (limit === undefined) return run;
  const asked = escalate(run, { reason: `budget: run ${limit}`, budget: true }, context);
  if (session?.status !== "live" || session.handOff !== undefined || isAttended(run)) return asked;
  return requestHandOff(asked, budgetSpent(run.config.limits.handOffMs), context);
}

/** The day's budget is spent: the turn is finished, and then the run waits. */
export const closed = (run: Run, { until, reason }: NonNullable<Run["closed"]>): Run => ({
  ...run,
  closed: { until, reason },
});

export function opened(run: Run, context: Context): Run {
  if (run.closed === undefined) return run;
  const { session } = run;
  const { closed: _, ...free } = run;
  // It was Pawl that let it wait: its silence begins now.
  const awake = isLive(session) ? { ...session, lastProgress: context.at } : session;
  return deliverQueued({ ...free, session: awake });
}

// When another agent continues a run: its account is limited for long, or its program cannot start.
// The project, which knows which accounts are free, is asked; the work stays in its workspace, and
// the next life is told by the hand-off brief what there is.
//
//   limited, or cannot start ──> seeks ──> given:  the life ends, the next one is the other agent's
//                                  └────> denied: waits (limited), or a person is asked (cannot start)

/** Where the configuration is older than this setting. */
export const RETRY_DEFAULT_MS = 15 * 60_000;

/** Asked after every event, so that a limit that came at a bad time is not forgotten. */
export function keepAgent(run: Run, context: Context): Run {
  if (run.seeks?.cannotStart === true) return run;
  const limit = longLimit(run, context.at);
  if (limit === undefined) return run.seeks === undefined ? run : withoutSeeking(run);
  if (run.seeks !== undefined) return run;
  return seek(run, { reason: limit.reason }, context);
}

/** Its account is limited for longer than is waited for, and nothing else keeps it where it is. */
function longLimit(run: Run, at: number): { until: number; reason: string } | undefined {
  const { agents } = run.config;
  if (agents === undefined || !isActive(run) || run.next !== undefined) return undefined;
  if (isAttended(run) || run.stopped !== undefined || run.stage.kind === "escalated") {
    return undefined;
  }
  const limit = run.session?.evidence.limit;
  if (limit === undefined || limit.until <= at + agents.waitMs) return undefined;
  return othersOf(run).length === 0 ? undefined : limit;
}

function withoutSeeking(run: Run): Run {
  const { seeks: _, ...rest } = run;
  return rest;
}

function seek(run: Run, seeks: NonNullable<Run["seeks"]>, { at, output }: Context): Run {
  const options = othersOf(run).map(accountOf);
  const event = { kind: "agent-wanted", at, run: run.id, options } as const;
  output.tells.push({ to: projectAggregate(run.project), event });
  return { ...run, seeks };
}

/**
 * Its agent is missing, too old or not signed in. New runs do not try it for a while. Undefined where
 * no other agent may continue.
 */
export function cannotStart(run: Run, reason: string, context: Context): Run | undefined {
  if (othersOf(run).length === 0) return undefined;
  const { at, output } = context;
  const until = at + (run.config.agent.limit?.retryMs ?? RETRY_DEFAULT_MS);
  const account = accountOf(run.config.agent);
  output.tells.push({
    to: projectAggregate(run.project),
    event: { kind: "account-limited", at, until, reason, account, cannotStart: true },
  });
  return seek(run, { reason, cannotStart: true }, context);
}

/** The present life ends; when its leftovers are gone and its work is saved, the other one starts. */
export function agentGiven(
  run: Run,
  { account }: Extract<RunEvent, { kind: "agent-given" }>,
  context: Context,
): Run {
  const { seeks } = run;
  if (seeks === undefined || !isActive(run)) return run;
  const isKnown = othersOf(run).some((other) => accountOf(other) === account);
  if (!isKnown) return agentDenied(run, context);
  const { reason } = seeks;
  const leaving: Run = {
    ...withoutSeeking(run),
    next: { account, reason },
    respawnAt: undefined,
    crashes: [],
  };
  return endSession(leaving, "handed_off");
}

export function agentDenied(run: Run, context: Context): Run {
  const { seeks } = run;
  if (seeks === undefined) return run;
  if (seeks.cannotStart === true) {
    return escalate(withoutSeeking(run), { reason: seeks.reason }, context);
  }
  return { ...run, seeks: { ...seeks, denied: true } };
}

/** It asks again, where there was none for it. */
export const accountOpened = (run: Run): Run =>
  run.seeks?.denied === true ? withoutSeeking(run) : run;
