// The statusline `folder | ctx(N%) | HH:MM:SS`, and the time gate: while its clock
// advances the session is alive. The weakest evidence but one: it proves life, never progress.
const DAY_S = 86_400;

export type Statusline = { clock: string | undefined; percent: number | undefined };

const CLOCK = /(?<![\d:.])\d\d:\d\d:\d\d(?![\d:.])/g;
const CONTEXT = /\bctx\((\d{1,3})%\)/;

/** The last row of cells with a clock in it; text above it may quote another one. */
export function parseStatusline(text: string): Statusline {
  const line = text.split("\n").findLast((candidate) => clockIn(candidate) !== undefined);
  if (line === undefined) return { clock: undefined, percent: undefined };
  const percent = CONTEXT.exec(line)?.[1];
  const known = percent === undefined || Number(percent) > 100 ? undefined : Number(percent);
  return { clock: clockIn(line), percent: known };
}

/** Anywhere in the row: what an agent shows behind its clock does not stop it. */
function clockIn(line: string): string | undefined {
  if (!line.includes("|")) return undefined;
  const clock = line.match(CLOCK)?.at(-1);
  return clock !== undefined && secondsOf(clock) !== undefined ? clock : undefined;
}

function secondsOf(clock: string): number | undefined {
  const [hours = 0, minutes = 0, seconds = 0] = clock.split(":").map(Number);
  if (hours > 23 || minutes > 59 || seconds > 59) return undefined;
  return hours * 3600 + minutes * 60 + seconds;
}

/** Later on the same day or over midnight. More than half a day "later" is earlier: no advance. */
export function advanced(previous: string, current: string): boolean {
  const [from, to] = [secondsOf(previous), secondsOf(current)];
  if (from === undefined || to === undefined) return false;
  const later = (to - from + DAY_S) % DAY_S;
  return later > 0 && later < DAY_S / 2;
}

/**
 * Does the clock prove life against every other sign of "stuck"?
 */
export function provesLife(previous: string | undefined, current: string | undefined): boolean {
  if (current === undefined) return false;
  return previous === undefined || advanced(previous, current);
}
