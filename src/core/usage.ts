// What agents have used: tokens and money, per life, day and model. Pure sums; who read them where
// is an adapter's affair.
import type { ProjectName, RunId } from "./ids.ts";

export type Tokens = { input: number; output: number; cacheRead: number; cacheWrite: number };

/** What an agent may tell of its tokens beside their number: which model used them, and how. */
export type UsageDetail = { model?: string; parts?: Tokens };

/** One day of one life with one model. */
export type UsageRow = Tokens & {
  /** UTC, `2026-11-15`. */
  day: string;
  model: string;
  /** Used by an agent that the agent started. */
  sidechain: boolean;
  costUsd: number;
  /** The agent told no money: it is reckoned from its tokens and the vendor's list. */
  isEstimate?: true;
};

export type LifeUsage = {
  project: ProjectName;
  run: RunId;
  /** Undefined where it was a task's. */
  issue: number | undefined;
  role: string;
  epoch: number;
  rows: UsageRow[];
  /** The account or runtime; not in records of an earlier version. */
  agent?: string;
};

/** Lives of so many days ago are kept each; of older ones, the sums of a day. */
export const LIVES_KEPT_DAYS = 30;

/** What one role used on one day, in lives that are not kept each any more. */
export type DayUsage = { project: ProjectName; role: string; rows: UsageRow[]; agent?: string };

export type Usage = LifeUsage | DayUsage;

/** The sums of a day with one more life; rows of one model become one. */
export function foldIn(sums: readonly DayUsage[], life: Omit<LifeUsage, "epoch">): DayUsage[] {
  const { project, role, rows, agent } = life;
  const isOwn = (sum: DayUsage): boolean => sum.role === role && sum.agent === agent;
  const known = agent === undefined ? {} : { agent };
  const own = sums.find(isOwn) ?? { project, role, rows: [], ...known };
  const folded = rows.reduce(foldRow, own.rows);
  return [...sums.filter((sum) => !isOwn(sum)), { ...own, rows: folded }];
}

/** A row of the same day, model and kind becomes one with it. */
export function foldRow(rows: UsageRow[], row: UsageRow): UsageRow[] {
  const isSame = (other: UsageRow): boolean =>
    other.day === row.day &&
    other.model === row.model &&
    other.sidechain === row.sidechain &&
    other.isEstimate === row.isEstimate;
  const known = rows.find(isSame);
  if (known === undefined) return [...rows, row];
  const sum: UsageRow = {
    ...row,
    input: known.input + row.input,
    output: known.output + row.output,
    cacheRead: known.cacheRead + row.cacheRead,
    cacheWrite: known.cacheWrite + row.cacheWrite,
    costUsd: known.costUsd + row.costUsd,
  };
  return rows.map((other) => (other === known ? sum : other));
}

export const USAGE_KEYS = [
  "session",
  "run",
  "issue",
  "role",
  "day",
  "model",
  "project",
  "agent",
] as const;
export type UsageKey = (typeof USAGE_KEYS)[number];

export type UsageSum = Tokens & {
  key: string;
  /** Of the tokens above, those that sidechains used. */
  sidechainTokens: number;
  costUsd: number;
  /** Of the cost, what is estimated. */
  estimatedUsd: number;
};

export function sumUsage(lives: readonly Usage[], by: UsageKey): UsageSum[] {
  const sums = new Map<string, UsageSum>();
  for (const life of lives) {
    for (const row of life.rows) {
      const key = keyOf(life, row, by);
      let sum = sums.get(key);
      if (sum === undefined) sums.set(key, (sum = emptySum(key)));
      add(sum, row);
    }
  }
  return [...sums.values()];
}

export function totalUsage(lives: readonly Usage[]): UsageSum {
  const sum = emptySum("total");
  for (const { rows } of lives) for (const row of rows) add(sum, row);
  return sum;
}

const emptySum = (key: string): UsageSum => ({
  key,
  input: 0,
  output: 0,
  cacheRead: 0,
  cacheWrite: 0,
  sidechainTokens: 0,
  costUsd: 0,
  estimatedUsd: 0,
});

/** Changes the sum in place: there are thousands of rows, and no other code has it yet. */
function add(sum: UsageSum, row: UsageRow): void {
  sum.input += row.input;
  sum.output += row.output;
  sum.cacheRead += row.cacheRead;
  sum.cacheWrite += row.cacheWrite;
  if (row.sidechain) sum.sidechainTokens += tokensOf(row);
  sum.costUsd += row.costUsd;
  if (row.isEstimate === true) sum.estimatedUsd += row.costUsd;
}

export const tokensOf = ({ input, output, cacheRead, cacheWrite }: Tokens): number =>
  input + output + cacheRead + cacheWrite;

function keyOf(life: Usage, row: UsageRow, by: UsageKey): string {
  switch (by) {
    case "session":
      return "run" in life ? `${life.project}/${life.run}:${life.epoch}` : older(life);
    case "run":
      return "run" in life ? `${life.project}/${life.run}` : older(life);
    case "issue":
      if (!("run" in life)) return older(life);
      return life.issue === undefined
        ? `${life.project} ${life.role}`
        : `${life.project}#${life.issue}`;
    case "role":
      return life.role;
    case "day":
      return row.day;
    case "model":
      return row.model;
    case "project":
      return life.project;
    case "agent":
      return life.agent ?? "unknown";
  }
}

const older = ({ project }: DayUsage): string => `${project} (over ${LIVES_KEPT_DAYS} days ago)`;
