// The order of keys in every listing of every store: runs of digits compare as numbers ("2" before
// "10", "run:a/2.1" before "run:a/10.1"), everything else by code unit. It must never depend on the
// locale, or two machines would list the same journal differently.

const PARTS = /\d+|\D+/g;
const DIGIT = /^\d/;

export function compareKeys(a: string, b: string): number {
  if (a === b) return 0;
  const left = a.match(PARTS) ?? [];
  const right = b.match(PARTS) ?? [];
  const shared = Math.min(left.length, right.length);
  for (let index = 0; index < shared; index += 1) {
    const order = compareParts(left[index] ?? "", right[index] ?? "");
    if (order !== 0) return order;
  }
  // "01" and "1" are equal part by part, but they are different keys.
  return left.length - right.length || compareText(a, b);
}

function compareParts(a: string, b: string): number {
  return DIGIT.test(a) && DIGIT.test(b) ? compareDigits(a, b) : compareText(a, b);
}

/** Digits are compared as text of equal length: numbers lose their last digits above 2^53. */
function compareDigits(a: string, b: string): number {
  const left = a.replace(/^0+/, "");
  const right = b.replace(/^0+/, "");
  return left.length - right.length || compareText(left, right);
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
