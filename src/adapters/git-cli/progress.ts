// How far commands of git are that take their time, read off what they write to stderr. It is a memory
// only: shown to people, and forgotten with the command.
import type { GitWork } from "../../ports/git.ts";

/** As people call it; the rest is what git calls it, in small letters. */
const STEPS: Record<string, string> = {
  "Updating files": "checking out files",
  "Filtering content": "checking out large files",
  "Writing objects": "sending objects",
};

/** `Receiving objects:  43% (43/100), 1.00 MiB | 2.00 MiB/s`; the last one counts. */
export function readProgress(text: string): Omit<GitWork, "place"> | undefined {
  const told = [...text.matchAll(/([A-Z][A-Za-z ]+):\s+(\d{1,3})% \(\d+\/\d+\)/g)].at(-1);
  if (told === undefined) return undefined;
  const [, name = "", percent] = told;
  const step = STEPS[name] ?? `${name.slice(0, 1).toLowerCase()}${name.slice(1)}`;
  return { step, percent: Number(percent) };
}

export class Progress {
  readonly #works = new Map<symbol, GitWork>();

  underWay(): GitWork[] {
    return [...this.#works.values()];
  }

  /** Follows one command; `place` is the folder that it fills, or the repository that it works in. */
  async follow<T>(
    place: string,
    work: (onStderr: (text: string) => void) => Promise<T>,
  ): Promise<T> {
    const key = Symbol(place);
    // A workspace is made beside its place.
    const shown = place.replace(/\.new(?=\/|$)/, "");
    try {
      return await work((text) => {
        const told = readProgress(text);
        if (told !== undefined) this.#works.set(key, { place: shown, ...told });
      });
    } finally {
      this.#works.delete(key);
    }
  }
}
