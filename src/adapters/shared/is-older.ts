// Versions are compared by their numbers, part by part; a part that is no number counts as 0.
export function isOlder(version: string, than: string): boolean {
  const [ours, theirs] = [version, than].map((text) => text.split(".").map(Number));
  for (const [index, part] of (theirs ?? []).entries()) {
    const own = ours?.[index] ?? 0;
    if (own !== part) return own < part;
  }
  return false;
}
