// What a run has used, and what happens when its budget is spent: the agent saves its work and
// leaves, and a person decides whether it goes on. The project hears of every sum, for the day.
import type { Context } from "../context.ts";
import { projectAggregate } from "../ids.ts";
import { budgetSpent } from "../words/messages.ts";
import { escalate } from "./escalate.ts";
import { requestHandOff } from "./hand-off.ts";
import { deliverQueued } from "./message.ts";
import { isAtWork, isAttended, type Run } from "./run.ts";
import { NOTHING, isNothing, overspent, plus, since, type Spent } from "../budget.ts";
import { isLive } from "../session/session.ts";
import type { UsageDetail } from "../usage.ts";

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
