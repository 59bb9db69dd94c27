// How long a service says that one has to wait: "try again in 358ms", "reset after 2h5m", "6m0s".

/** By the first letters of the unit; the longer ones come first, so that "ms" is no minute. */
const UNITS_MS: readonly [RegExp, number][] = [
  [/^(?:ms|milli)/i, 1],
  [/^s/i, 1000],
  [/^m/i, 60_000],
  [/^h/i, 3_600_000],
  [/^d/i, 86_400_000],
];

const UNIT =
  "(?:ms|milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?)(?![a-z])";
const SPELL = `(?:\\d+(?:\\.\\d+)? ?${UNIT} ?)+`;
const SAID = new RegExp(`\\b(?:in|after) (${SPELL})`, "i");
const WHOLE = new RegExp(`^${SPELL}$`, "i");
const PARTS = new RegExp(`(\\d+(?:\\.\\d+)?) ?(${UNIT})`, "gi");

/** In milliseconds; undefined where the text says none. */
export function saidDuration(text: string): number | undefined {
  const spell = SAID.exec(text)?.[1];
  return spell === undefined ? undefined : sumOf(spell);
}

/** Of a text that is nothing else. */
export const durationIn = (text: string): number | undefined =>
  WHOLE.test(text) ? sumOf(text) : undefined;

const sumOf = (spell: string): number =>
  Math.round(
    [...spell.matchAll(PARTS)].reduce(
      (sum, [, amount, unit = ""]) => sum + Number(amount) * unitMs(unit),
      0,
    ),
  );

const unitMs = (unit: string): number => UNITS_MS.find(([name]) => name.test(unit))?.[1] ?? 0;
