// The lines that a text gained since it was last shown. Its beginning may be cut off meanwhile (only
// the end of a log is kept), and lines above the end may have been drawn again.

const ANCHOR_LINES = 3;

export function linesAfter(before: string[], now: string[]): string[] {
  const isPrefix = before.every((line, index) => now[index] === line);
  if (isPrefix) return now.slice(before.length);
  const anchor = before.slice(-ANCHOR_LINES);
  for (let end = now.length; end >= anchor.length; end -= 1) {
    const isThere = anchor.every((line, index) => now[end - anchor.length + index] === line);
    if (isThere) return now.slice(end);
  }
  const changed = now.findIndex((line, index) => before[index] !== line);
  return changed < 0 ? [] : now.slice(changed);
}
