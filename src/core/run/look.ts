// Before anything is decided against a session it is looked at: what the journal knows may be old,
// for instance when the daemon was away. One look at a time; what it finds comes as an event.
import type { Context } from "../context.ts";
import { runAggregate } from "../ids.ts";
import { stuck, warnOfSilence } from "./stuck.ts";
import { idleDeadline, idleLooked } from "./idle.ts";
import { withEvidence } from "./progress.ts";
import { silenceDeadline, silenceOf } from "./silence.ts";
import type { Run } from "./run.ts";

export function lookDeadline(run: Run): number | undefined {
  if (run.session?.evidence.looking !== false) return undefined;
  const times = [idleDeadline(run), silenceDeadline(run)].filter((time) => time !== undefined);
  return times.length === 0 ? undefined : Math.min(...times);
}

export function look(run: Run, context: Context): Run {
  const { session } = run;
  if (session?.status !== "live") return run;
  const aggregate = runAggregate(run.project, run.id);
  const key = `${aggregate}:look:${session.epoch}`;
  context.output.effects.push({
    key,
    // A look may take a while where tmux is slow, and must not hold up messages.
    lane: key,
    effect: { kind: "look-at-session", run: run.id, epoch: session.epoch },
  });
  return withEvidence(run, { looking: true });
}

/** The look came back and its evidence is in: now what was due is decided. */
export function looked(run: Run, context: Context): Run {
  const { session } = run;
  if (session?.status !== "live") return run;
  const here = withEvidence(run, { looking: false, lookedAt: context.at });
  const checked = idleLooked(here, context);
  const silence = silenceOf(checked);
  if (silence === undefined || checked.session?.status !== "live") return checked;
  if (silence.stuckAt <= context.at) return stuck(checked, context);
  return silence.warnAt <= context.at ? warnOfSilence(checked, context) : checked;
}

/** The look failed: nothing is concluded from that, and it is tried again later. */
export function notLooked(run: Run, context: Context): Run {
  const { session } = run;
  if (session?.status !== "live" || !session.evidence.looking) return run;
  const { idle } = session.evidence;
  const lookAt = context.at + run.config.limits.idleCheckMs;
  return withEvidence(run, {
    looking: false,
    lookedAt: context.at,
    idle: idle === undefined ? undefined : { ...idle, lookAt },
  });
}
