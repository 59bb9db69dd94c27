// What questions may be asked by: apart from the schemas, which no command needs to load.
export const COST_KEYS = [
  "session",
  "run",
  "issue",
  "role",
  "day",
  "model",
  "project",
  "agent",
] as const;
export const HISTORY_KINDS = ["run", "formula", "gate", "vault", "action"] as const;
/** Rows of a page of the history where a question names no number. */
export const HISTORY_ROWS = 25;
/** Days of statistics where a question names no number, and at most. */
export const STATS_DAYS = 30;
export const STATS_DAYS_MAX = 366;
