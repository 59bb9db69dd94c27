// How much later than written a schedule comes: always the same for a name, so that a restart
// changes nothing, and different between names, so that not everything begins at once.

/** 0 up to but not including `jitterMs`, from the name alone (FNV-1a). */
export function jitterOf(name: string, jitterMs: number): number {
  if (jitterMs <= 0) return 0;
  let hash = 0x811c9dc5;
  for (const letter of name) {
    hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  }
  return hash % jitterMs;
}

/** The first instant after `after` of something that comes every so often, counted from 1970. */
export const nextOfEvery = (everyMs: number, after: number): number =>
  (Math.floor(after / everyMs) + 1) * everyMs;
