// An agent that has said nothing for too long: first a warning, then the verdict `stuck`. Its output
// and its work are saved, it is started again once, and the second time a person is asked.
import type { Context } from "../context.ts";
import { formatDuration } from "../../lib/duration.ts";
import { announce } from "./announce.ts";
import { escalate } from "./escalate.ts";
import { withEvidence } from "./progress.ts";
import { endSession } from "./session-life.ts";
import { aliveSince, quietSince } from "./silence.ts";
import { isLive } from "../session/session.ts";
import type { Run } from "./run.ts";
import { warn } from "./warn.ts";

const RESTARTS_MAX = 1;

export function warnOfSilence(run: Run, context: Context): Run {
  const { session } = run;
  if (!isLive(session) || session.evidence.warned) return run;
  const quiet = formatDuration(context.at - quietSince(run, session));
  const alive = aliveSince(run, session) > quietSince(run, session) ? ", but it is alive" : "";
  const warned = warn(run, `no progress for ${quiet}${alive}`, context);
  return withEvidence(warned, { warned: true });
}

export function stuck(run: Run, context: Context): Run {
  const { session, counts } = run;
  if (!isLive(session)) return run;
  const silentMs = context.at - aliveSince(run, session);
  const reason = `stuck: no sign of life or work for ${formatDuration(silentMs)}`;
  announce(
    run,
    { kind: "ORCHESTRATOR_STUCK", detail: { reason, times: counts.stuck + 1 } },
    context,
  );
  const counted: Run = { ...run, counts: { ...counts, stuck: counts.stuck + 1 } };
  const warned = warn(counted, reason, context);
  const asked =
    counts.stuck >= RESTARTS_MAX
      ? escalate(warned, { reason: `${reason}, again` }, context)
      : warned;
  return endSession(asked, "stuck", context);
}
