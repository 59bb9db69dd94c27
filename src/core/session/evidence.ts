// What is known of a living session besides its process, strongest first: its own hooks, its files,
// the CPU of its processes, the clock on its statusline, its screen. Facts only; what follows from
// them is decided by the run.
import { newContextUse, screenLooked, type ContextUse } from "./context-use.ts";
import { provesLife } from "./statusline.ts";

export type Evidence = {
  /** Its turn is over by its own word: since when, and how many tasks go on behind it. */
  stopped: { at: number; background: number } | undefined;
  /** Looks in a row that found it idle, and when the next one is due. */
  idle: { checks: number; lookAt: number } | undefined;
  /** A dialog or question of its own is open; only the matching answer closes it. */
  question: Question | undefined;
  /** It waits for its account: that is no silence. */
  limit: { until: number; reason: string } | undefined;
  /** To its model, where the session's gateway counts them; `before`: in earlier turns. */
  requests?: { total: number; before: number };
  /** Use of CPU by its processes, and when it was last busy. */
  cpu: { usedMs: number; at: number } | undefined;
  busyAt: number | undefined;
  clock: { shown: string; advancedAt: number } | undefined;
  /** Its model has said nothing since then; `at`: when its host has last said so. */
  waiting?: { since: number; at: number } | undefined;
  /** Stamp of the workspace's index and HEAD. */
  files: string | undefined;
  context: ContextUse;
  /** Looks in a row that could not tell whether it lives. */
  strikes: number;
  /** A look was asked for and is under way. */
  looking: boolean;
  lookedAt: number | undefined;
  /** It was warned about since its last progress. */
  warned: boolean;
  /** Spool files of this life that made no sense. */
  refused: number;
};

export type Question = { id: string; text: string; choices: string[] };

/** One look at a session from outside. What could not be seen is undefined, never "none". */
export type Sighting = {
  /** CPU used by its process tree so far. */
  cpuMs: number | undefined;
  /** One of its processes is on a core, or waits for one. */
  running: boolean | undefined;
  /** Of the statusline. */
  clock: string | undefined;
  percent: number | undefined;
  files: string | undefined;
  shown: ContextUse["shown"] | undefined;
};

export const newEvidence = (): Evidence => ({
  stopped: undefined,
  idle: undefined,
  question: undefined,
  limit: undefined,
  cpu: undefined,
  busyAt: undefined,
  clock: undefined,
  files: undefined,
  context: newContextUse(),
  strikes: 0,
  looking: false,
  lookedAt: undefined,
  warned: false,
  refused: 0,
});

/** A spinner needs a few percent; who uses a fifth of a core is at work. */
const BUSY_SHARE = 0.2;

export function sighted(evidence: Evidence, sighting: Sighting, at: number): Evidence {
  const { cpuMs, files, percent, shown } = sighting;
  const context = shown === undefined ? evidence.context : screenLooked(evidence.context, shown);
  return {
    ...evidence,
    cpu: cpuMs === undefined ? evidence.cpu : { usedMs: cpuMs, at },
    busyAt: isBusy(evidence, sighting, at) ? at : evidence.busyAt,
    clock: clockSeen(evidence.clock, sighting.clock, at),
    files: files ?? evidence.files,
    context: percent === undefined ? context : { ...context, percent },
  };
}

/** On a machine that is short of cores, who wants one may get little of it. */
function isBusy({ cpu }: Evidence, { cpuMs, running }: Sighting, at: number): boolean {
  if (running === true) return true;
  if (cpu === undefined || cpuMs === undefined || at <= cpu.at) return false;
  return (cpuMs - cpu.usedMs) / (at - cpu.at) >= BUSY_SHARE;
}

export function clockSeen(
  before: Evidence["clock"],
  shown: string | undefined,
  at: number,
): Evidence["clock"] {
  if (shown === undefined) return before;
  const advancedAt = provesLife(before?.shown, shown) ? at : (before?.advancedAt ?? at);
  return { shown, advancedAt };
}

/** Files that moved are progress; what is seen for the first time has not moved. */
export const filesMoved = (evidence: Evidence, sighting: Sighting): boolean =>
  sighting.files !== undefined && evidence.files !== undefined && sighting.files !== evidence.files;

/** A clock that jumped moves what silence is measured from; an account's limit is wall time. */
export function shiftEvidence(evidence: Evidence, gapMs: number): Evidence {
  const { stopped, idle, cpu, busyAt, clock, waiting, lookedAt } = evidence;
  return {
    ...evidence,
    stopped: stopped === undefined ? undefined : { ...stopped, at: stopped.at + gapMs },
    idle: idle === undefined ? undefined : { ...idle, lookAt: idle.lookAt + gapMs },
    cpu: cpu === undefined ? undefined : { ...cpu, at: cpu.at + gapMs },
    busyAt: busyAt === undefined ? undefined : busyAt + gapMs,
    clock: clock === undefined ? undefined : { ...clock, advancedAt: clock.advancedAt + gapMs },
    ...(waiting === undefined
      ? {}
      : { waiting: { since: waiting.since + gapMs, at: waiting.at + gapMs } }),
    lookedAt: lookedAt === undefined ? undefined : lookedAt + gapMs,
  };
}
