// The server's rate limit as it reports it (Retry-After, X-RateLimit-*). While it is used up
// nothing is sent at all, because servers lengthen the ban of a client that keeps asking.
import { OperationError } from "../../lib/operation-error.ts";

export type Answered = { status: number; headers: Headers; text: string };

/** One account's at one server: all clients that use its token share it. */
export type RateLimit = {
  /** Throws where nothing may be sent now; what is sent counts until it ends. */
  begin(server: string, what: string): void;
  /** What was sent was answered; undefined where no answer came. */
  end(answer: Answered | undefined): void;
  /** How long nothing may be sent; undefined where it may. */
  delayMs(): number | undefined;
};

/** Of the account with this token at this server, which may be that of several projects. */
export type RateLimits = (url: string, token: string) => RateLimit;

/** How many more requests the server takes until it counts again. */
type Budget = { remaining: number; resetAt: number };

// A ban longer than this is looked at again: clocks of servers are wrong now and then.
const BAN_MAX_MS = 3_600_000;
const BAN_DEFAULT_MS = 60_000;

export function createRateLimits(now: () => number): RateLimits {
  const limits = new Map<string, RateLimit>();
  return (url, token) => {
    const host = URL.canParse(url) ? new URL(url).host : url;
    const key = `${host} ${token}`;
    const limit = limits.get(key) ?? createRateLimit(now);
    limits.set(key, limit);
    return limit;
  };
}

export function createRateLimit(now: () => number): RateLimit {
  let closedUntil = 0;
  let budget: Budget | undefined;
  let underWay = 0;

  const delayMs = (): number | undefined => {
    const left = closedUntil - now();
    return left > 0 ? left : undefined;
  };

  /** What is under way may use up the rest: one more would be refused, and lengthen the ban. */
  const spentMs = (): number | undefined => {
    if (budget === undefined || budget.resetAt <= now()) return undefined;
    return budget.remaining > underWay ? undefined : budget.resetAt - now();
  };

  return {
    delayMs,
    begin(server, what) {
      const left = delayMs() ?? spentMs();
      if (left !== undefined) {
        throw rateLimited(`cannot ${what}: ${server} takes no more requests for now`, left);
      }
      underWay += 1;
    },
    end(answer) {
      underWay -= 1;
      if (answer === undefined) return;
      const until = askedToWait(answer, now());
      if (until !== undefined) closedUntil = Math.max(closedUntil, until);
      budget = newerBudget(budget, budgetIn(answer.headers, now()));
    },
  };
}

function budgetIn(headers: Headers, now: number): Budget | undefined {
  const remaining = Number(headers.get("x-ratelimit-remaining") ?? Number.NaN);
  const resetAt = Number(headers.get("x-ratelimit-reset") ?? Number.NaN) * 1000;
  return Number.isFinite(remaining) && Number.isFinite(resetAt)
    ? { remaining, resetAt: Math.min(resetAt, now + BAN_MAX_MS) }
    : undefined;
}

/** Answers overtake each other: of one period the lowest number is the last. */
function newerBudget(known: Budget | undefined, told: Budget | undefined): Budget | undefined {
  if (known === undefined || told === undefined) return told ?? known;
  if (told.resetAt !== known.resetAt) return told.resetAt > known.resetAt ? told : known;
  return told.remaining < known.remaining ? told : known;
}

export const rateLimited = (message: string, leftMs: number): OperationError =>
  new OperationError(message, {
    code: "http-rate-limited",
    hint: `its rate limit is used up; requests resume in ${Math.ceil(leftMs / 1000)} s`,
    retryable: true,
  });

/** True where a refusal is about the number of requests: 429, or GitHub's 403. */
export function isRateLimit({ status, headers, text }: Answered): boolean {
  if (status === 429) return true;
  if (status !== 403) return false;
  const isTold = headers.has("retry-after") || headers.get("x-ratelimit-remaining") === "0";
  // A secondary limit may come without any header.
  return isTold || /\bsecondary rate limit\b/i.test(text.slice(0, 1000));
}

function askedToWait(answer: Answered, now: number): number | undefined {
  const { status, headers } = answer;
  const refused = isRateLimit(answer) || status === 503;
  const usedUp = headers.get("x-ratelimit-remaining") === "0";
  if (!refused && !usedUp) return undefined;
  const after = retryAfterMs(headers.get("retry-after"), now);
  if (after !== undefined) return now + Math.min(after, BAN_MAX_MS);
  const reset = Number(headers.get("x-ratelimit-reset") ?? Number.NaN) * 1000;
  if (usedUp && Number.isFinite(reset)) return Math.min(reset, now + BAN_MAX_MS);
  return status === 503 || !refused ? undefined : now + BAN_DEFAULT_MS;
}

/** Seconds, or a date. */
function retryAfterMs(value: string | null, now: number): number | undefined {
  if (value === null) return undefined;
  const seconds = Number(value);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
