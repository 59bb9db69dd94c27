// The conflict matrix: which heads conflict with each other. Facts only; it is pruned to the
// heads that are queued and bounded, because a build finds what it does not know.
import type { Commit } from "../ids.ts";
import type { ConflictFact, Entry } from "./queue.ts";

const FACTS_MAX = 2_000;
const FILES_MAX = 20;

export function withConflicts(
  known: ConflictFact[],
  found: ConflictFact[],
  entries: Entry[],
): ConflictFact[] {
  const heads = new Set(entries.map((entry) => entry.head));
  const byPair = new Map<string, ConflictFact>();
  for (const fact of [...known, ...found]) {
    if (!heads.has(fact.a) || !heads.has(fact.b) || fact.a === fact.b) continue;
    const { a, b } = fact;
    const pair = [a, b].toSorted().join(" ");
    // A look predicts; what the resolver tried is known.
    const tried = fact.tried ?? byPair.get(pair)?.tried;
    byPair.set(pair, { a, b, files: fact.files.slice(0, FILES_MAX), ...(tried && { tried }) });
  }
  return [...byPair.values()].slice(0, FACTS_MAX);
}

export type ConflictMatrix = Map<Commit, Map<Commit, string[]>>;

export function matrixOf(facts: ConflictFact[]): ConflictMatrix {
  const matrix: ConflictMatrix = new Map();
  const add = (a: Commit, b: Commit, files: string[]): void => {
    const row = matrix.get(a) ?? new Map<Commit, string[]>();
    matrix.set(a, row.set(b, files));
  };
  for (const { a, b, files } of facts) {
    add(a, b, files);
    add(b, a, files);
  }
  return matrix;
}

/** The first of these entries that this one conflicts with. */
export function conflictWith(
  matrix: ConflictMatrix,
  entry: Entry,
  others: Iterable<Entry>,
): { entry: Entry; files: string[] } | undefined {
  const row = matrix.get(entry.head);
  if (row === undefined) return undefined;
  for (const other of others) {
    const files = row.get(other.head);
    if (files !== undefined) return { entry: other, files };
  }
  return undefined;
}
