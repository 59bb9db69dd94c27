// Which paths each commit of a chain changes against the one before it, in one call of git.
import type { Commit } from "../../core/ids.ts";
import { rememberStep } from "./alike.ts";
import { perContext, type GitContext } from "./context.ts";
import { listedPaths, shownPath } from "./scan.ts";

export async function changedPaths(context: GitContext, chain: Commit[]): Promise<string[][]> {
  const steps = chain.slice(1).map((commit, index) => ({ commit, before: chain[index] ?? commit }));
  const real = steps.filter(({ commit, before }) => commit !== before);
  const key = chain.join(" ");
  const listed = lists(context);
  const known = listed.get(key) ?? (real.length === 0 ? steps.map(() => []) : undefined);
  if (known !== undefined) return known;
  const args = ["diff-tree", "--stdin", "--always", "-r", "-z", "--name-only", "--no-renames"];
  const stdin = real.map(({ commit, before }) => `${commit} ${before}\n`).join("");
  const fields = listedPaths((await context.inHub(args, { stdin })).bytes);
  const found = new Map<Commit, string[]>();
  let [at, current]: [number, string[]] = [0, []];
  for (const field of fields) {
    // No commit can hold a file that is named by that commit's own id.
    const next = real[at]?.commit;
    if (next !== undefined && field === next) {
      current = [];
      found.set(next, current);
      at += 1;
    } else current.push(shownPath(field));
  }
  if (at !== real.length) throw new Error(`git diff-tree told of ${at} of ${real.length} commits`);
  for (const { commit, before } of real) {
    rememberStep(context, { commit, before, paths: found.get(commit) ?? [] });
  }
  const paths = steps.map(({ commit, before }) =>
    commit === before ? [] : (found.get(commit) ?? []),
  );
  listed.set(key, paths);
  for (const old of [...listed.keys()].slice(0, -LISTS_MAX)) listed.delete(old);
  return paths;
}

/** What differs between two commits never changes. A chain is asked for again as soon as it is built. */
const lists = perContext((): Map<string, string[][]> => new Map());
const LISTS_MAX = 4;
