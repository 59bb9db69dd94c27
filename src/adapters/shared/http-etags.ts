// Answers remembered with their ETag, so that a question about what has not changed costs a 304.
// Bounded in number and size: the least recently used goes first.
export type Remembered = { etag: string; text: string; headers: Headers };

export type EtagCache = {
  get(url: string): Remembered | undefined;
  put(url: string, answer: Remembered): void;
};

const ENTRIES_MAX = 300;
const CHARACTERS_MAX = 8_000_000;

export function createEtagCache(): EtagCache {
  const entries = new Map<string, Remembered>();
  let characters = 0;

  function drop(url: string): void {
    characters -= entries.get(url)?.text.length ?? 0;
    entries.delete(url);
  }

  return {
    get(url) {
      const found = entries.get(url);
      if (found === undefined) return undefined;
      entries.delete(url);
      entries.set(url, found);
      return found;
    },
    put(url, answer) {
      drop(url);
      if (answer.text.length > CHARACTERS_MAX / 4) return;
      entries.set(url, answer);
      characters += answer.text.length;
      for (const oldest of entries.keys()) {
        if (entries.size <= ENTRIES_MAX && characters <= CHARACTERS_MAX) break;
        drop(oldest);
      }
    },
  };
}
