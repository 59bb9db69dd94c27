// "Did you mean …?": the known word nearest to a misspelt one, or none where nothing is near.
import { distance as editDistance } from "fastest-levenshtein";

export function nearest(word: string, known: readonly string[]): string | undefined {
  const wanted = word.toLowerCase().replaceAll("-", "_");
  // A third of the letters may be wrong; more would suggest words that have nothing in common. Two
  // letters that changed places count as two.
  const distanceMax = Math.ceil(wanted.length / 3);
  let best: { word: string; distance: number } | undefined;
  for (const candidate of known) {
    const distance = editDistance(wanted, candidate);
    if (distance <= distanceMax && distance < (best?.distance ?? Infinity)) {
      best = { word: candidate, distance };
    }
  }
  return best?.word;
}
