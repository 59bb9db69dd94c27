// The backlog: what an issue depends on, which issues are ready, in what order they are taken,
// and, for `pawl why`, what keeps the others back.
import { canonicalJson } from "../../lib/canonical-json.ts";
import { isObject } from "../../lib/json-object.ts";
import type { Wish } from "../agent-choice.ts";
import { LABELS } from "../issue.ts";

export type IssueFacts = {
  number: number;
  title: string;
  labels: string[];
  createdAt: number;
  /** Issues it depends on that are not closed (or do not exist). */
  unmet: number[];
  /** Where its front matter asks for an agent or a model. */
  wish?: Wish;
};

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
  wish: true,
};
const FACT_NAMES = Object.keys(FACTS) as (keyof IssueFacts)[];

function isSameIssue(a: IssueFacts, b: IssueFacts | undefined): boolean {
  if (b === undefined) return false;
  for (const name of FACT_NAMES)
    if (a[name] !== b[name] && !isSameList(a[name], b[name]) && !isSameWish(a[name], b[name]))
      return false;
  return true;
}

const isSameWish = (a: unknown, b: unknown): boolean =>
  isObject(a) && isObject(b) && canonicalJson(a) === canonicalJson(b);

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
