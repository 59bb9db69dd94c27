// Spans of time as people read them everywhere in Pawl: a number, a space, a unit ("23 h 59 min",
// "260 ms"). The core and the adapters write the short form of `formatDuration` into the journal;
// `withSpans` rewrites it where it is shown.

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const STEPS = [
  { short: "d", unit: "day", unitMs: DAY_MS },
  { short: "h", unit: "h", unitMs: HOUR_MS },
  { short: "m", unit: "min", unitMs: MINUTE_MS },
  { short: "s", unit: "s", unitMs: SECOND_MS },
  { short: "ms", unit: "ms", unitMs: 1 },
];

const amount = (count: number, unit: string): string =>
  `${count} ${unit === "day" && count !== 1 ? "days" : unit}`;

/** The two largest units: "2 min 3 s", "1 day 4 h". Rounded down: no span looks longer than it was. */
export function spanText(durationMs: number): string {
  if (durationMs < 0) return `-${spanText(-durationMs)}`;
  if (durationMs < SECOND_MS) return amount(Math.floor(durationMs), "ms");
  const first = STEPS.findIndex(({ unitMs }) => durationMs >= unitMs);
  let restMs = durationMs;
  const parts: string[] = [];
  for (const { unit, unitMs } of STEPS.slice(first, first + 2)) {
    const count = Math.floor(restMs / unitMs);
    restMs -= count * unitMs;
    if (count > 0 && unit !== "ms") parts.push(amount(count, unit));
  }
  return parts.join(" ");
}

/**
 * "3 min ago"; "in 23 h 59 min", because what is to come is waited for; "just now" for less than a
 * second either way.
 */
export function relativeText(at: number, now: number): string {
  const distanceMs = Math.abs(now - at);
  if (distanceMs < SECOND_MS) return "just now";
  if (at > now) return `in ${spanText(distanceMs)}`;
  const { unit, unitMs } = STEPS.find((step) => distanceMs >= step.unitMs) ?? {
    unit: "s",
    unitMs: SECOND_MS,
  };
  return `${amount(Math.floor(distanceMs / unitMs), unit)} ago`;
}

const UNTIL = /\buntil (?<at>\d{4}-\d\d-\d\dT[\d:.]+Z)/g;

/** A text of Pawl's own, for people: "for 5 h 29 min" instead of "until 2026-11-20T00:00:00.000Z". */
export const withRelativeTimes = (text: string, now: number): string =>
  text.replaceAll(
    UNTIL,
    (_found, at: string) => `for ${spanText(Math.max(0, Date.parse(at) - now))}`,
  );

const SHORT = /\b(?<count>\d+)(?<short>ms|[dhms])\b/g;

/** A text of Pawl's own, with its spans in this form; what a person or an agent wrote is not meant. */
export const withSpans = (text: string): string =>
  text.replaceAll(SHORT, (found, count: string, short: string) => {
    const step = STEPS.find((one) => one.short === short);
    return step === undefined ? found : amount(Number(count), step.unit);
  });

const OF_PAWL =
  /(?:^stuck: no sign of life or work for|^stale: not seen for|^no progress for|\bit did not finish within|\bno verdict within|\btimed out after) [\dhms ]+/g;

/** What the core and the adapters wrote into the journal has spans; all other words stay as they are. */
export const plainSpans = (reason: string): string => reason.replaceAll(OF_PAWL, withSpans);
