// What is true of a tree, independent of every report: the rule that the project's tests stand for.
// A tree is red where a file has a bug, or where two works took the same key, which neither of them
// can see alone.
import type { Files } from "./repository.ts";

export const BUG = "bug";

export const keyOf = (text: string): string | undefined => /\bkey=(\d+)/.exec(text)?.[1];

/** Files are never changed in place, and the target's are asked about again and again. */
const judged = new WeakMap<Files, { problem: string | undefined }>();

export function problemOf(files: Files): string | undefined {
  const known = judged.get(files);
  if (known !== undefined) return known.problem;
  const problem = findProblem(files);
  judged.set(files, { problem });
  return problem;
}

function findProblem(files: Files): string | undefined {
  const taken = new Map<string, string>();
  for (const [file, text] of files) {
    if (text.includes(BUG)) return `${file} has a bug`;
    const key = keyOf(text);
    const other = key === undefined ? undefined : taken.get(key);
    if (other !== undefined) return `${file} and ${other} both have the key ${key}`;
    if (key !== undefined) taken.set(key, file);
  }
  return undefined;
}
