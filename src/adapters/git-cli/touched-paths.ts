// Which paths a branch touches, so that only branches that can conflict are merged: a queue of 500
// has 125,000 pairs, and nearly all of them touch different files. A prediction only: what it misses
// (a folder renamed here, a file added to it there) is found when the candidate is built.
import type { Commit } from "../../core/ids.ts";
import type { GitContext } from "./context.ts";
import { perContext } from "./context.ts";

/** `all`: too many to keep, so that it may conflict with everything. */
export type Touched = { all: boolean; paths: Set<string>; folders: Set<string> };

const PATHS_MAX = 5000;
const HEADS_MAX = 2000;
const RECORD = "\x01";

const known = perContext((): Map<Commit, Touched> => new Map());

/** What each head touches that the target lacks; one git for all that are not known yet. */
export async function touchedBy(
  context: GitContext,
  target: Commit,
  heads: Commit[],
): Promise<Map<Commit, Touched>> {
  const memory = known(context);
  const fresh = heads.filter((head) => !memory.has(head));
  if (memory.size + fresh.length > HEADS_MAX) memory.clear();
  const asked = heads.filter((head) => !memory.has(head));
  if (asked.length > 0) {
    const listed = await list(context, target, asked);
    for (const head of asked) memory.set(head, touchedFrom(listed, head));
  }
  return memory;
}

type Listed = Map<string, { parents: string[]; paths: string[] }>;

async function list(context: GitContext, target: Commit, heads: Commit[]): Promise<Listed> {
  const args = ["log", "-z", "-m", "--name-only", "--no-renames", `--format=${RECORD}%H %P`];
  const result = await context.inHub([...args, "--stdin", "--"], {
    stdin: `${[...heads, `^${target}`].join("\n")}\n`,
    what: "list the paths that branches touch",
  });
  const listed: Listed = new Map();
  for (const record of result.bytes.toString("utf8").split(RECORD).slice(1)) {
    const [line = "", ...rest] = record.split("\0");
    const [commit = "", ...parents] = line.trim().split(" ");
    // A merge is listed once for each of its parents.
    const paths = rest.map((path) => path.replace(/^\n/, "")).filter((path) => path !== "");
    const before = listed.get(commit)?.paths ?? [];
    listed.set(commit, { parents, paths: [...before, ...paths] });
  }
  return listed;
}

export function touchedFrom(listed: Listed, head: string): Touched {
  const touched: Touched = { all: false, paths: new Set(), folders: new Set() };
  const waiting = [head];
  const seen = new Set<string>();
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const facts = listed.get(at);
    if (facts === undefined || seen.has(at)) continue;
    seen.add(at);
    waiting.push(...facts.parents);
    for (const path of facts.paths) touched.paths.add(path);
    if (touched.paths.size > PATHS_MAX) return { ...touched, all: true };
  }
  for (const path of touched.paths) {
    for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1)) {
      touched.folders.add(path.slice(0, end));
    }
  }
  return touched;
}

/** The same path, or one of them has a file where the other has a folder. */
export function mayConflict(a: Touched | undefined, b: Touched | undefined): boolean {
  if (a === undefined || b === undefined || a.all || b.all) return true;
  return meet(a.paths, b.paths) || meet(a.paths, b.folders) || meet(a.folders, b.paths);
}

function meet(a: Set<string>, b: Set<string>): boolean {
  const [few, many] = a.size < b.size ? [a, b] : [b, a];
  for (const one of few) if (many.has(one)) return true;
  return false;
}
