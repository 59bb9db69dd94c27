// What a look at a session from outside means for its run. Seeing it alive proves life; files that
// moved prove work. Not seeing it proves nothing: after three strikes a person is told.
import type { Context } from "../context.ts";
import type { RunEvent } from "../event.ts";
import { formatDuration } from "../../lib/duration.ts";
import { filesMoved, sighted } from "../session/evidence.ts";
import { isLive } from "../session/session.ts";
import { contextChanged } from "./hand-off.ts";
import { looked, notLooked } from "./look.ts";
import { stirred, withEvidence } from "./progress.ts";
import type { Run } from "./run.ts";
import { warn } from "./warn.ts";

type EventOf<K extends RunEvent["kind"]> = Extract<RunEvent, { kind: K }>;

const STRIKES = 3;

export function seen(run: Run, event: EventOf<"session-seen">, context: Context): Run {
  if (!isLive(run.session)) return run;
  const known = contextChanged(note(worked(run, event, context), event), context);
  return event.asked === true ? looked(known, context) : known;
}

/** Files changed; or a person was attached until now, and the agent could not work meanwhile. */
function worked(run: Run, { attached, sighting }: EventOf<"session-seen">, context: Context): Run {
  const { session } = run;
  if (session === undefined) return run;
  const left = session.attached && !attached;
  const moved = sighting !== undefined && filesMoved(session.evidence, sighting);
  return left || moved ? stirred(run, context) : run;
}

function note(run: Run, { attached, sighting, at }: EventOf<"session-seen">): Run {
  const { session } = run;
  if (session === undefined) return run;
  const calm = { ...session.evidence, strikes: 0 };
  const evidence = sighting === undefined ? calm : sighted(calm, sighting, at);
  return { ...run, session: { ...session, lastSeen: at, attached, evidence } };
}

/** Three looks in a row and as long as an identity may be unseen: said once, and nothing is done. */
export function unseen(run: Run, context: Context): Run {
  const { session } = run;
  if (session?.status !== "live") return run;
  const strikes = session.evidence.strikes + 1;
  const struck = notLooked(withEvidence(run, { strikes }), context);
  const unseenMs = context.at - session.lastSeen;
  if (strikes !== STRIKES || unseenMs < run.config.limits.staleMs) return struck;
  const text = `stale: not seen for ${formatDuration(unseenMs)}, and three looks could not tell whether it lives`;
  return warn(struck, text, context);
}
