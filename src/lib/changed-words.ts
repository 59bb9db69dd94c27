// Which words of a line were changed: the longest common row of words stays, the rest is marked.

/** Where marked text begins and ends, in characters. */
export type Marked = [from: number, to: number][];

/** The work grows with the product: longer lines are marked between what they begin and end with. */
const WORDS_MAX = 300;

export function changedWords(before: string, after: string): { before: Marked; after: Marked } {
  const [a, b] = [wordsOf(before), wordsOf(after)];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let end = 0;
  const rest = Math.min(a.length, b.length) - start;
  while (end < rest && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1;
  const [midA, midB] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  const kept = commonWords(midA, midB);
  // Lines that share hardly a word were not changed but replaced: marks would only be noise.
  const lengthOf = (words: string[]): number => words.join("").trim().length;
  const shared = lengthOf([...a.slice(0, start), ...kept.map(([at]) => midA[at] ?? "")]);
  if (shared + lengthOf(a.slice(a.length - end)) === 0) return { before: [], after: [] };
  const keptA = new Set(kept.map(([at]) => at + start));
  const keptB = new Set(kept.map(([, at]) => at + start));
  return {
    before: marks(a, (at) => at >= start && at < a.length - end && !keptA.has(at)),
    after: marks(b, (at) => at >= start && at < b.length - end && !keptB.has(at)),
  };
}

const wordsOf = (text: string): string[] => text.match(/[\p{L}\p{N}_]+|\s+|./gu) ?? [];

/** The places of the longest common row, in both. */
function commonWords(a: string[], b: string[]): [number, number][] {
  if (a.length > WORDS_MAX || b.length > WORDS_MAX) return [];
  const width = b.length + 1;
  const longest = new Uint16Array((a.length + 1) * width);
  const at = (i: number, j: number): number => longest[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      longest[i * width + j] =
        a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const found: [number, number][] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    if (a[i] === b[j]) found.push([i++, j++]);
    else if (at(i + 1, j) >= at(i, j + 1)) i += 1;
    else j += 1;
  }
  return found;
}

function marks(words: string[], isMarked: (at: number) => boolean): Marked {
  const found: Marked = [];
  let from = 0;
  for (const [at, word] of words.entries()) {
    const to = from + word.length;
    const last = found.at(-1);
    if (isMarked(at)) {
      if (last?.[1] === from) last[1] = to;
      else found.push([from, to]);
    }
    from = to;
  }
  return found;
}
