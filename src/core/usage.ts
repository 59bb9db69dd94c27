// What agents have used: tokens and money, per life, day and model. Pure sums; who read them where
// is an adapter's affair.
import type { ProjectName, RunId } from "./ids.ts";

export type Tokens = { input: number; output: number; cacheRead: number; cacheWrite: number };

/** One day of one life with one model. */
export type UsageRow = Tokens & {
  /** UTC, `2026-11-15`. */
  day: string;
  model: string;
  /** Used by an agent that the agent started. */
  sidechain: boolean;
  costUsd: number;
};

export type LifeUsage = {
  project: ProjectName;
  run: RunId;
  /** Undefined where it was a task's. */
  issue: number | undefined;
  role: string;
  epoch: number;
  rows: UsageRow[];
};

export const USAGE_KEYS = ["session", "run", "issue", "role", "day", "model", "project"] as const;
export type UsageKey = (typeof USAGE_KEYS)[number];

export type UsageSum = Tokens & {
  key: string;
  /** Of the tokens above, those that sidechains used. */
  sidechainTokens: number;
  costUsd: number;
};

export function sumUsage(lives: readonly LifeUsage[], by: UsageKey): UsageSum[] {
  const sums = new Map<string, UsageSum>();
  for (const life of lives) {
    for (const row of life.rows) {
      const key = keyOf(life, row, by);
      sums.set(key, add(sums.get(key) ?? emptySum(key), row));
    }
  }
  return [...sums.values()];
}

export const totalUsage = (lives: readonly LifeUsage[]): UsageSum =>
  lives.flatMap((life) => life.rows).reduce(add, emptySum("total"));

const emptySum = (key: string): UsageSum => ({
  key,
  input: 0,
  output: 0,
  cacheRead: 0,
  cacheWrite: 0,
  sidechainTokens: 0,
  costUsd: 0,
});

const add = (sum: UsageSum, row: UsageRow): UsageSum => ({
  key: sum.key,
  input: sum.input + row.input,
  output: sum.output + row.output,
  cacheRead: sum.cacheRead + row.cacheRead,
  cacheWrite: sum.cacheWrite + row.cacheWrite,
  sidechainTokens: sum.sidechainTokens + (row.sidechain ? tokensOf(row) : 0),
  costUsd: sum.costUsd + row.costUsd,
});

export const tokensOf = ({ input, output, cacheRead, cacheWrite }: Tokens): number =>
  input + output + cacheRead + cacheWrite;

function keyOf(life: LifeUsage, row: UsageRow, by: UsageKey): string {
  switch (by) {
    case "session":
      return `${life.project}/${life.run}:${life.epoch}`;
    case "run":
      return `${life.project}/${life.run}`;
    case "issue":
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
  }
}
