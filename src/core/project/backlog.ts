// The backlog: what an issue depends on, which issues are ready, in what order they are taken,
// and, for `pawl why`, what keeps the others back.
import { LABELS } from "../issue.ts";

export type IssueFacts = {
  number: number;
  title: string;
  labels: string[];
  createdAt: number;
  /** Issues it depends on that are not closed (or do not exist). */
  unmet: number[];
};

const HEADING = /^#{1,2}\s+(.*?)\s*#*\s*$/;
/** Longer lines are no headings: the pattern above would take minutes on a line of a megabyte. */
const HEADING_MAX = 100;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const DEPENDENCY_HEADING = /^(dependencies|depends on|blocked by):?$/i;
const INLINE = /\b(depends on|blocked by)\b/i;
// A reference into another repository (`org/repo#12`) is not one of ours.
const REFERENCE = /(?<![\w/#&])#(\d+)\b/g;

const ANY_REFERENCE = /#\d/;

/** `#N` under a dependency heading, or on a line that says so, outside code fences; sorted, unique. */
export function dependencies(body: string, self?: number): number[] {
  // Most issues name no other one, and every look reads all of them.
  if (!ANY_REFERENCE.test(body)) return [];
  const found = new Set<number>();
  let fence: string | undefined;
  let inSection = false;
  for (const line of body.split("\n")) {
    const marker = FENCE.exec(line)?.[1];
    if (fence === undefined && marker !== undefined) fence = marker;
    else if (fence !== undefined) {
      // Only the same kind of fence, at least as long, ends a block.
      if (marker?.startsWith(fence) === true) fence = undefined;
      continue;
    }
    if (fence !== undefined) continue;
    const heading = line.length <= HEADING_MAX ? HEADING.exec(line) : null;
    if (heading !== null) inSection = DEPENDENCY_HEADING.test(heading[1] ?? "");
    if (inSection || INLINE.test(line)) {
      for (const match of line.matchAll(REFERENCE)) found.add(Number(match[1]));
    }
  }
  if (self !== undefined) found.delete(self);
  return [...found].toSorted((a, b) => a - b);
}

/** Labels that mean: this is not for the dev role. */
const NOT_FOR_DEV: readonly string[] = [
  LABELS.action,
  LABELS.vision,
  LABELS.underspecified,
  LABELS.predictionUnreviewed,
  LABELS.predictionBacklog,
  LABELS.predictionActioned,
];

export type Readiness =
  | { kind: "ready" }
  | { kind: "not-backlog" }
  | { kind: "blocked" }
  | { kind: "in-progress" }
  | { kind: "other-role"; label: string }
  | { kind: "waits"; unmet: number[] };

export function readiness(issue: IssueFacts): Readiness {
  const has = (label: string): boolean => issue.labels.includes(label);
  if (has(LABELS.blocked)) return { kind: "blocked" };
  if (has(LABELS.inProgress)) return { kind: "in-progress" };
  const other = NOT_FOR_DEV.find(has);
  if (other !== undefined) return { kind: "other-role", label: other };
  if (!has(LABELS.backlog)) return { kind: "not-backlog" };
  if (issue.unmet.length > 0) return { kind: "waits", unmet: issue.unmet };
  return { kind: "ready" };
}

/** Priority first, then the oldest. */
export function inOrder(issues: IssueFacts[]): IssueFacts[] {
  const rank = (issue: IssueFacts): number => (issue.labels.includes(LABELS.priority) ? 0 : 1);
  return issues.toSorted(
    (a, b) => rank(a) - rank(b) || a.createdAt - b.createdAt || a.number - b.number,
  );
}

export type BacklogNews = { issues: IssueFacts[]; gone: number[] };

/** What is new against the backlog that is known: the journal keeps this and not every list. */
export function newsOf(known: readonly IssueFacts[], open: readonly IssueFacts[]): BacklogNews {
  const before = new Map(known.map((issue) => [issue.number, issue]));
  // A list may name an issue twice that moved between two pages.
  const now = new Map(open.map((issue) => [issue.number, issue]));
  return {
    issues: [...now.values()].filter((issue) => !isSameIssue(issue, before.get(issue.number))),
    gone: [...before.keys()].filter((number) => !now.has(number)),
  };
}

export function withNews(
  known: IssueFacts[],
  { issues, gone = [] }: { issues: IssueFacts[]; gone?: number[] },
): IssueFacts[] {
  if (issues.length + gone.length === 0) return known;
  const old = new Set([...gone, ...issues.map(({ number }) => number)]);
  return inOrder([...known.filter(({ number }) => !old.has(number)), ...issues]);
}

/** The compiler refuses a fact that is missing here. */
const FACTS: Record<keyof IssueFacts, true> = {
  number: true,
  title: true,
  labels: true,
  createdAt: true,
  unmet: true,
};
const FACT_NAMES = Object.keys(FACTS) as (keyof IssueFacts)[];

function isSameIssue(a: IssueFacts, b: IssueFacts | undefined): boolean {
  if (b === undefined) return false;
  for (const name of FACT_NAMES)
    if (a[name] !== b[name] && !isSameList(a[name], b[name])) return false;
  return true;
}

const isSameList = (a: unknown, b: unknown): boolean =>
  Array.isArray(a) &&
  Array.isArray(b) &&
  a.length === b.length &&
  a.every((one, index) => one === b[index]);

/** Issues that wait for each other in a ring; none of them can ever become ready. */
export function cycles(issues: Pick<IssueFacts, "number" | "unmet">[]): number[][] {
  const edges = new Map(issues.map((issue) => [issue.number, issue.unmet]));
  const done = new Set<number>();
  const rings: number[][] = [];
  for (const start of edges.keys()) walk(start, [], { edges, done, rings });
  return rings;
}

type Walk = { edges: Map<number, number[]>; done: Set<number>; rings: number[][] };

function walk(at: number, path: number[], context: Walk): void {
  const seenAt = path.indexOf(at);
  if (seenAt !== -1) {
    context.rings.push(path.slice(seenAt));
    return;
  }
  if (context.done.has(at)) return;
  for (const next of context.edges.get(at) ?? []) walk(next, [...path, at], context);
  context.done.add(at);
}
