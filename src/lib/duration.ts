// Spans of time as people write and read them. Inside Pawl a span is always a
// whole number of milliseconds, named …Ms.

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const WEEK_MS = 7 * DAY_MS;

const UNITS = new Map<string, number>([
  ...["ms", "millisecond", "milliseconds"].map((unit) => [unit, 1] as const),
  ...["s", "sec", "secs", "second", "seconds"].map((unit) => [unit, SECOND_MS] as const),
  ...["m", "min", "mins", "minute", "minutes"].map((unit) => [unit, MINUTE_MS] as const),
  ...["h", "hr", "hrs", "hour", "hours"].map((unit) => [unit, HOUR_MS] as const),
  ...["d", "day", "days"].map((unit) => [unit, DAY_MS] as const),
  ...["w", "week", "weeks"].map((unit) => [unit, WEEK_MS] as const),
]);

const PART = /(\d+(?:\.\d+)?)\s*([a-z]+)/g;
const WHOLE = /^(?:\d+(?:\.\d+)?\s*[a-z]+\s*)+$/;

// Accepts "30 min", "24h", "90s", "1h 30m", "1.5h". A number without a unit is
// refused, because readers would differ on what it means. Undefined where the text
// is no duration: the caller knows which setting to name in its message.
export function parseDuration(text: string): number | undefined {
  const trimmed = text.trim().toLowerCase();
  if (!WHOLE.test(trimmed)) return undefined;
  let totalMs = 0;
  for (const [, amount, unit = ""] of trimmed.matchAll(PART)) {
    const unitMs = UNITS.get(unit);
    if (unitMs === undefined) return undefined;
    totalMs += Number(amount) * unitMs;
  }
  const roundedMs = Math.round(totalMs);
  return Number.isSafeInteger(roundedMs) ? roundedMs : undefined;
}

const STEPS = [
  { label: "d", unitMs: DAY_MS },
  { label: "h", unitMs: HOUR_MS },
  { label: "m", unitMs: MINUTE_MS },
  { label: "s", unitMs: SECOND_MS },
];

// The two largest units: "2m 3s", "1d 4h", "850ms". Rounded down, so that a span
// never looks longer than it was.
export function formatDuration(durationMs: number): string {
  if (durationMs < 0) return `-${formatDuration(-durationMs)}`;
  if (durationMs < SECOND_MS) return `${Math.floor(durationMs)}ms`;
  const first = STEPS.findIndex(({ unitMs }) => durationMs >= unitMs);
  let restMs = durationMs;
  const parts: string[] = [];
  for (const { label, unitMs } of STEPS.slice(first, first + 2)) {
    const count = Math.floor(restMs / unitMs);
    restMs -= count * unitMs;
    if (count > 0) parts.push(`${count}${label}`);
  }
  return parts.join(" ");
}
