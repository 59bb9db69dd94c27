// "Did you mean …?": the known word nearest to a misspelt one, or none where nothing is near.

export function nearest(word: string, known: readonly string[]): string | undefined {
  const wanted = word.toLowerCase().replaceAll("-", "_");
  // A third of the letters may be wrong; more would suggest words that have nothing in common.
  const distanceMax = Math.max(1, Math.floor(wanted.length / 3));
  let best: { word: string; distance: number } | undefined;
  for (const candidate of known) {
    const distance = editDistance(wanted, candidate);
    if (distance <= distanceMax && distance < (best?.distance ?? Infinity)) {
      best = { word: candidate, distance };
    }
  }
  return best?.word;
}

/** Insertions, deletions, replacements and swaps of neighbours, each counted as one. */
function editDistance(a: string, b: string): number {
  let [older, previous]: [number[], number[]] = [
    [],
    Array.from({ length: b.length + 1 }, (_, i) => i),
  ];
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      current[j] = Math.min(
        (previous[j] ?? 0) + 1,
        (current[j - 1] ?? 0) + 1,
        (previous[j - 1] ?? 0) + (same ? 0 : 1),
        swapped ? (older[j - 2] ?? 0) + 1 : Infinity,
      );
    }
    [older, previous] = [previous, current];
  }
  return previous[b.length] ?? 0;
}
