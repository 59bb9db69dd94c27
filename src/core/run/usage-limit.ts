// A usage limit of the agent's account is a wait, never a failure: the agent has the ball again when
// it is over, automatically or, where the user wants to be asked, after a person's answer. The
// project is told, because an agent that starts now would only meet the same limit.
import type { Context } from "../context.ts";
import type { ProjectEvent } from "../event.ts";
import { projectAggregate } from "../ids.ts";
import { usageLimit } from "../words/messages.ts";
import { escalate } from "./escalate.ts";
import { beginIdle } from "./idle.ts";
import { progressed, withEvidence } from "./progress.ts";
import { isActive, type Run } from "./run.ts";
import { warn } from "./warn.ts";

/** Where the configuration is older than this setting. */
const RETRY_DEFAULT_MS = 15 * 60_000;
const LIMIT_MAX_MS = 8 * 24 * 60 * 60_000;

/** `until`: undefined where the agent does not know when it is over. */
export function limited(
  run: Run,
  event: { until: number | undefined; reason: string },
  context: Context,
): Run {
  if (!isActive(run)) return run;
  const { at } = context;
  const { ask, retryMs } = run.config.agent.limit ?? { ask: false, retryMs: RETRY_DEFAULT_MS };
  const until = Math.min(event.until ?? at + retryMs, at + LIMIT_MAX_MS);
  const known = run.session?.evidence.limit?.until === until;
  const limit = { until, reason: event.reason };
  // Its turn is over; when the limit is, it is nudged like any other agent that has stopped.
  const stopped = withEvidence(run, { limit, stopped: { at, background: 0 } });
  const waiting = beginIdle(stopped, context);
  if (known) return waiting;
  tellProject(run, { kind: "account-limited", at, until, reason: event.reason }, context);
  const said = usageLimit(until, event.reason);
  const warned = warn(waiting, said, context);
  return ask ? escalate(warned, { reason: said }, context) : warned;
}

/** It works, so that it no longer waits for the limit or for an answer. */
export function worksAgain(run: Run, context: Context): Run {
  if (run.session?.evidence.limit !== undefined) {
    tellProject(run, { kind: "account-freed", at: context.at }, context);
  }
  const free = { stopped: undefined, limit: undefined, idle: undefined };
  return withEvidence(progressed(run, context), free);
}

function tellProject(run: Run, event: ProjectEvent, context: Context): void {
  context.output.tells.push({ to: projectAggregate(run.project), event });
}
