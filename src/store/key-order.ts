// The order of keys in every listing of every store: runs of digits compare as numbers ("2" before
// "10", "run:a/2.1" before "run:a/10.1"), everything else by code unit. It must never depend on the
// locale, or two machines would list the same journal differently.

const ZERO = 48;
const NINE = 57;

const isDigit = (code: number): boolean => code >= ZERO && code <= NINE;

/** Without making parts: thousands of keys are sorted at once. */
export function compareKeys(a: string, b: string): number {
  if (a === b) return 0;
  let at = 0;
  let other = 0;
  let isInText = false;
  while (at < a.length && other < b.length) {
    const left = a.charCodeAt(at);
    const right = b.charCodeAt(other);
    if (isDigit(left) && isDigit(right)) {
      const end = endOfDigits(a, at);
      const otherEnd = endOfDigits(b, other);
      const order = compareDigits(a, at, end, b, other, otherEnd);
      if (order !== 0) return order;
      at = end;
      other = otherEnd;
      isInText = false;
      continue;
    }
    if (left !== right) {
      // Where a number begins, the text before it has ended: the shorter text comes first.
      if (isInText && isDigit(left)) return -1;
      if (isInText && isDigit(right)) return 1;
      return left - right;
    }
    at += 1;
    other += 1;
    isInText = true;
  }
  // "01" and "1" are equal part by part, but they are different keys.
  return a.length - at - (b.length - other) || (a < b ? -1 : 1);
}

function endOfDigits(text: string, from: number): number {
  let end = from;
  while (end < text.length && isDigit(text.charCodeAt(end))) end += 1;
  return end;
}

/** Digit by digit: numbers lose their last digits above 2^53. */
// oxlint-disable-next-line max-params -- two pieces of text, without making them
function compareDigits(
  a: string,
  from: number,
  end: number,
  b: string,
  start: number,
  stop: number,
): number {
  let at = from;
  let other = start;
  while (at < end && a.charCodeAt(at) === ZERO) at += 1;
  while (other < stop && b.charCodeAt(other) === ZERO) other += 1;
  if (end - at !== stop - other) return end - at - (stop - other);
  while (at < end) {
    const order = a.charCodeAt(at) - b.charCodeAt(other);
    if (order !== 0) return order;
    at += 1;
    other += 1;
  }
  return 0;
}
