// Keeps what a program on the alternate screen has shown. Such a screen has no scrollback: a program
// scrolls by drawing every line one row higher. Two pictures of the screen are compared, and the
// lines that went away at the top are kept; those that came back, because what is below them became
// shorter, are on the screen again. What it never drew cannot be kept.

/** So many lines at the top of a picture are looked for in the other one; most have to be there. */
const TOP_LINES = 8;

/** The lines that went away at the top between two pictures. */
export function scrolledOff(before: string[], now: string[]): string[] {
  if (isBlank(before) || isBlank(now.slice(0, TOP_LINES))) return [];
  const shift = shiftBetween(before, now);
  if (shift !== undefined) return before.slice(0, Math.max(0, shift));
  // Another picture altogether: of the earlier one, what is not in it.
  const kept = new Set(now);
  return before.filter((line) => !kept.has(line));
}

/** The lines that came back at the top: the earlier picture is now further down. */
function cameBack(before: string[], now: string[]): string[] {
  return now.slice(0, Math.max(0, -(shiftBetween(before, now) ?? 0)));
}

/** By how many rows the screen went up, below zero if it came down; undefined if it did neither. */
function shiftBetween(before: string[], now: string[]): number | undefined {
  const up = find(now.slice(0, TOP_LINES), before);
  const down = find(before.slice(0, TOP_LINES), now);
  if (up.equal === 0 && down.equal === 0) return undefined;
  return up.equal >= down.equal ? up.row : -down.row;
}

/** The row where most of these lines are, and how many; none if that is less than half of them. */
function find(lines: string[], picture: string[]): { row: number; equal: number } {
  const texts = lines.flatMap((line, index) => (line === "" ? [] : [{ line, index }]));
  let best = { row: 0, equal: 0 };
  for (let row = 0; row < picture.length; row += 1) {
    const equal = texts.filter(({ line, index }) => picture[row + index] === line).length;
    if (equal > best.equal && equal * 2 >= texts.length) best = { row, equal };
  }
  return best;
}

const isBlank = (lines: string[]): boolean => lines.every((line) => line === "");

/** One stay on the alternate screen: pictures go in, all lines come out. */
export class ScreenHistory {
  readonly #gone: string[] = [];
  readonly #linesMax: number;
  #last: string[] = [];

  constructor(linesMax: number) {
    this.#linesMax = linesMax;
  }

  look(picture: string[]): void {
    this.#gone.push(...scrolledOff(this.#last, picture));
    for (const line of cameBack(this.#last, picture).toReversed()) {
      if (this.#gone.at(-1) !== line) break;
      this.#gone.pop();
    }
    if (this.#gone.length > 2 * this.#linesMax) {
      this.#gone.splice(0, this.#gone.length - this.#linesMax);
    }
    this.#last = picture;
  }

  lines(): string[] {
    return [...this.#gone, ...this.#last];
  }
}
