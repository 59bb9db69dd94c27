// How full an agent's context is: measured where it reports it, otherwise guessed
// from symptoms. One symptom alone never ends a session.
export type Urgency = "none" | "low" | "medium" | "high";

export type ContextUse = {
  /** As last reported by the agent itself. */
  percent: number | undefined;
  /** Told by its own hooks. */
  compactions: number;
  /** Its terminal has shown a compaction, or a warning about the context. */
  shown: { compaction: boolean; warning: boolean };
  pace: Pace;
  /** What was said about it so far in this life. */
  announced: Urgency;
};

/** Intervals between tool calls of one turn: the first ones are the baseline. */
type Pace = {
  lastAt: number | undefined;
  baseline: { count: number; totalMs: number };
  recent: number[];
};

export const newContextUse = (): ContextUse => ({
  percent: undefined,
  compactions: 0,
  shown: { compaction: false, warning: false },
  pace: { lastAt: undefined, baseline: { count: 0, totalMs: 0 }, recent: [] },
  announced: "none",
});

const BASELINE_CALLS = 10;
const RECENT_CALLS = 5;
const SLOWER = 3;
/** Three times next to nothing is still nothing. */
const SLOW_MIN_MS = 20_000;
/** So far below `medium`, the use is worth watching. */
const LOW_BELOW = 10;

const ORDER: readonly Urgency[] = ["none", "low", "medium", "high"];
export const isAbove = (a: Urgency, b: Urgency): boolean => ORDER.indexOf(a) > ORDER.indexOf(b);

export type ContextLimits = { contextMedium: number; contextHigh: number };

/** What the agent measured wins over every symptom. */
export function urgencyOf(use: ContextUse, limits: ContextLimits): Urgency {
  const { percent } = use;
  if (percent === undefined) return urgencyBySymptoms(use);
  if (percent >= limits.contextHigh) return "high";
  if (percent >= limits.contextMedium) return "medium";
  return percent >= limits.contextMedium - LOW_BELOW ? "low" : "none";
}

function urgencyBySymptoms(use: ContextUse): Urgency {
  // After the second compaction little is left of what the agent knew in the beginning.
  if (use.compactions >= 2) return "high";
  const symptoms = symptomsOf(use);
  if (use.compactions > 0 || symptoms.length >= 2) return "medium";
  return symptoms.length === 1 ? "low" : "none";
}

export const symptomsOf = ({ compactions, shown, pace }: ContextUse): string[] => [
  ...(compactions > 0 || shown.compaction ? ["compaction"] : []),
  ...(shown.warning ? ["warning"] : []),
  ...(isSlow(pace) ? ["latency"] : []),
];

function isSlow({ baseline, recent }: Pace): boolean {
  if (baseline.count < BASELINE_CALLS || recent.length < RECENT_CALLS) return false;
  const mean = recent.reduce((sum, one) => sum + one, 0) / recent.length;
  return mean >= SLOW_MIN_MS && mean > SLOWER * (baseline.totalMs / baseline.count);
}

export function toolCalled(use: ContextUse, at: number): ContextUse {
  const { lastAt, baseline, recent } = use.pace;
  if (lastAt === undefined) return { ...use, pace: { ...use.pace, lastAt: at } };
  const intervalMs = Math.max(0, at - lastAt);
  const pace =
    baseline.count < BASELINE_CALLS
      ? {
          lastAt: at,
          baseline: { count: baseline.count + 1, totalMs: baseline.totalMs + intervalMs },
          recent,
        }
      : { lastAt: at, baseline, recent: [...recent, intervalMs].slice(-RECENT_CALLS) };
  return { ...use, pace };
}

/** Between turns no tools are called: the pause says nothing about the agent. */
export const turnEnded = (use: ContextUse): ContextUse => ({
  ...use,
  pace: { ...use.pace, lastAt: undefined },
});

const COMPACTING = /\bPreCompact\b|\bcompacting (?:the )?(?:conversation|context)\b/i;
const WARNING =
  /\bcontext (?:window )?(?:is )?(?:low|almost full|nearly full)\b|\bcontext left until auto-?compact\b|\b(?:running out of|low on) context\b/i;

/** Any program can put text on the screen, so that it alone never asks for a hand-off. */
export const symptomsOn = (text: string): ContextUse["shown"] => ({
  compaction: COMPACTING.test(text),
  warning: WARNING.test(text),
});

export function screenLooked(use: ContextUse, seen: ContextUse["shown"]): ContextUse {
  const { compaction, warning } = use.shown;
  const isNew = (seen.compaction && !compaction) || (seen.warning && !warning);
  if (!isNew) return use;
  const shown = { compaction: compaction || seen.compaction, warning: warning || seen.warning };
  return { ...use, shown };
}
