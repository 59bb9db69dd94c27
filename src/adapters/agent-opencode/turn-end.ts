// How a turn of opencode ended. Errors that may pass it tries again by itself, for as long as it
// likes, and only says so; what it does not try again ends the turn.
import type { TurnEnd } from "../shared/agent-host/driver.ts";
import { isUnreachable } from "../shared/agent-host/unreachable.ts";

export type TurnError = {
  name: string;
  data: { message?: string; statusCode?: number; isRetryable?: boolean };
};

/** `next`: when it tries again. */
type Retry = { attempt: number; message: string; next: number };

export type Status = { type: "idle" } | { type: "busy" } | ({ type: "retry" } & Retry);

/** So often it may try again before its account counts as limited. */
const ATTEMPTS_MAX = 3;
/** What it waits for longer than this is not a moment's trouble. */
const WAIT_MAX_MS = 60_000;
const RETRY_MS = 30_000;
const TOO_MANY = 429;

/** Undefined while it is worth waiting. */
export function limitOf(retry: Retry, now: number): TurnEnd | undefined {
  const isLong = retry.next - now > WAIT_MAX_MS;
  if (retry.attempt < ATTEMPTS_MAX && !isLong) return undefined;
  const isLimit = /rate|limit|quota|too many|429/i.test(retry.message);
  const until = isLong ? retry.next : isLimit ? undefined : now + RETRY_MS;
  return { kind: "limited", until, reason: retry.message };
}

export function turnEnd(error: TurnError | undefined, now: number): TurnEnd {
  if (error === undefined) return { kind: "ended" };
  if (error.name === "MessageAbortedError") return { kind: "interrupted" };
  const { statusCode, isRetryable, message } = error.data;
  const reason = `${error.name}: ${message ?? "no reason given"}`;
  if (statusCode === TOO_MANY) return { kind: "limited", until: undefined, reason };
  const isAway = statusCode === undefined && isUnreachable(message ?? "");
  if (isRetryable === true || isAway) return { kind: "limited", until: now + RETRY_MS, reason };
  return { kind: "failed", reason };
}
