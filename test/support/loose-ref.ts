// What a fake forge asks of its bare repository with each request, without a git for each: that was a
// tenth of all gits of the tests with a forge.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { hasCode } from "../../src/lib/error-code.ts";

/** Undefined where git keeps the ref in another way, or has none. */
export function looseRef(repository: string, ref: string): string | undefined {
  try {
    const text = readFileSync(join(repository, ref), "utf8").trim();
    return /^[0-9a-f]{40}$/.test(text) ? text : undefined;
  } catch (error) {
    if (hasCode(error, ["ENOENT", "ENOTDIR", "EISDIR"])) return undefined;
    throw error;
  }
}

type Git = (...args: string[]) => string | undefined;

/** Whether one commit is in the history of another, which never changes. */
export function createContains(git: Git) {
  const known = new Map<string, boolean>();
  return (tip: string | undefined, commit: string): boolean => {
    const key = `${tip} ${commit}`;
    const is =
      known.get(key) ?? git("merge-base", "--is-ancestor", commit, tip ?? "") !== undefined;
    known.set(key, is);
    return is;
  };
}
