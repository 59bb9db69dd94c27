// Whether two titles mean the same issue: most of the words of the shorter one stand in the other.
/** Enough to ask about; and so much that a second issue is not made. */
const SHARED_MIN = 0.6;
export const SAME_MIN = 0.85;
const WORDS_MIN = 3;
/** Words that say nothing of what an issue is about. */
const EMPTY: ReadonlySet<string> = new Set(
  "a an and at by for in is it of on or that the to with".split(" "),
);

export function wordsOf(title: string): Set<string> {
  const words = title.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return new Set(words.filter((word) => !EMPTY.has(word)));
}

export function isAlike(a: Set<string>, b: Set<string>, sharedMin = SHARED_MIN): boolean {
  const [smaller, larger] = a.size <= b.size ? [a, b] : [b, a];
  if (smaller.size < WORDS_MIN) return smaller.size === larger.size && contains(larger, smaller);
  const shared = [...smaller].filter((word) => larger.has(word)).length;
  return shared / smaller.size >= sharedMin;
}

const contains = (all: Set<string>, some: Set<string>): boolean =>
  some.size > 0 && [...some].every((word) => all.has(word));

/** The pairs of issues whose titles are alike, the older one first. */
export function duplicates(
  issues: readonly { number: number; title: string }[],
): [number, number][] {
  const known = issues
    .map(({ number, title }) => ({ number, words: wordsOf(title) }))
    .toSorted((a, b) => a.number - b.number);
  return known.flatMap((one, index) =>
    known
      .slice(index + 1)
      .flatMap((other): [number, number][] =>
        isAlike(one.words, other.words) ? [[one.number, other.number]] : [],
      ),
  );
}
