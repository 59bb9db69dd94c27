// Keeps what a program on the alternate screen has shown. Such a screen has no scrollback: a program
// scrolls by drawing every line one row higher. Two pictures of the screen are compared, and the
// lines that went away at the top are kept. What it never drew cannot be kept.

/** So many equal lines at the top of the later picture prove that the screen was scrolled. */
const PROOF_LINES = 3;

/** The lines that went away at the top between two pictures. */
export function scrolledOff(before: string[], now: string[]): string[] {
  const proof = now.slice(0, PROOF_LINES);
  if (isBlank(before) || isBlank(proof)) return [];
  for (let shift = 0; shift + PROOF_LINES <= before.length; shift += 1) {
    if (proof.every((line, index) => before[shift + index] === line)) return before.slice(0, shift);
  }
  // Another picture altogether: of the earlier one, what is not in it.
  const kept = new Set(now);
  return before.filter((line) => !kept.has(line));
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
    if (this.#gone.length > 2 * this.#linesMax) {
      this.#gone.splice(0, this.#gone.length - this.#linesMax);
    }
    this.#last = picture;
  }

  lines(): string[] {
    return [...this.#gone, ...this.#last];
  }
}
