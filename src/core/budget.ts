// Budgets: how much a run, a role and a day may use, in tokens and money, and whether that is
// reached. Pure sums; what follows is decided by the run (run/run-budget.ts) and the project
// (project/day-budget.ts).
import type { Role } from "./task.ts";

/** `estimatedUsd`: of the money, what Pawl has estimated from tokens; not there where that is nothing. */
export type Spent = { tokens: number; usd: number; estimatedUsd?: number };

/** What is not there is not limited. */
export type Allowance = { tokens?: number | undefined; usd?: number | undefined };

/** A role's budget is for a day, too: both are reset at the start of the UTC day. */
export type Budget = {
  run?: Allowance | undefined;
  day?: Allowance | undefined;
  roles?: { [role in Role]?: Allowance | undefined } | undefined;
};

const DAY_MS = 24 * 60 * 60_000;

export const NOTHING: Spent = { tokens: 0, usd: 0 };

export const plus = (a: Spent, b: Partial<Spent>): Spent => ({
  tokens: a.tokens + (b.tokens ?? 0),
  usd: a.usd + (b.usd ?? 0),
  ...estimated((a.estimatedUsd ?? 0) + (b.estimatedUsd ?? 0)),
});

/** What was used since an earlier report. A report that says less than before says nothing new. */
export const since = (before: Spent, now: Spent): Spent => ({
  tokens: Math.max(0, now.tokens - before.tokens),
  usd: Math.max(0, now.usd - before.usd),
  ...estimated((now.estimatedUsd ?? 0) - (before.estimatedUsd ?? 0)),
});

const estimated = (usd: number): Pick<Spent, "estimatedUsd"> =>
  usd > 0 ? { estimatedUsd: usd } : {};

export const isNothing = ({ tokens, usd }: Spent): boolean => tokens === 0 && usd === 0;

/** `spent 120,000 of 100,000 tokens`, where that is reached; `from` is what was allowed before. */
export function overspent(
  allowance: Allowance | undefined,
  spent: Spent,
  from: Spent = NOTHING,
): string | undefined {
  const { tokens, usd } = allowance ?? {};
  if (tokens !== undefined && spent.tokens >= from.tokens + tokens) {
    return `spent ${count(spent.tokens)} of ${count(from.tokens + tokens)} tokens`;
  }
  if (usd !== undefined && spent.usd >= from.usd + usd) {
    return `spent ${money(spent.usd)} of ${money(from.usd + usd)}${estimateText(spent)}`;
  }
  return undefined;
}

/** ` (estimated from tokens)`, where the agents reported no money; empty where they reported all of it. */
function estimateText({ usd, estimatedUsd = 0 }: Spent): string {
  if (estimatedUsd === 0) return "";
  const part = estimatedUsd >= usd ? "" : `${money(estimatedUsd)} of it `;
  return ` (${part}estimated from tokens)`;
}

const count = (tokens: number): string => tokens.toLocaleString("en-US");
const money = (usd: number): string => `$${usd.toFixed(2)}`;

/** UTC, `2026-11-15`. */
export const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** The first instant of the next UTC day. */
export const nextDay = (at: number): number => (Math.floor(at / DAY_MS) + 1) * DAY_MS;
