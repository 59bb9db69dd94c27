// When another agent continues a run: its account is limited for long, or its program cannot start.
// The project, which knows which accounts are free, is asked; the work stays in its workspace, and
// the next life is told by the hand-off brief what there is.
//
//   limited, or cannot start ──> seeks ──> given:  the life ends, the next one is the other agent's
//                                  └────> denied: waits (limited), or a person is asked (cannot start)
import type { Context } from "../context.ts";
import { projectAggregate } from "../ids.ts";
import { escalate } from "./escalate.ts";
import { endSession, othersOf } from "./session-life.ts";
import { isActive, isAttended, type Run } from "./run.ts";
import { accountOf } from "../agent-choice.ts";
import type { RunEvent } from "./run-event.ts";

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
