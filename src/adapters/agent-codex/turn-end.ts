// How a turn of Codex ended. It ends a turn cleanly on a limit and on errors of the API; only what
// the turn carries says which.
import type { TurnEnd } from "../shared/agent-host/driver.ts";
import type { ErrorReason, RateLimits, Turn } from "./protocol.ts";

const LIMITS = new Set(["usageLimitExceeded", "rateLimitExceeded"]);
/** Trouble of the service, which Codex has tried to outlast already. */
const TROUBLES = new Set([
  "serverOverloaded",
  "internalServerError",
  "flexUnavailable",
  "policyCapacityUnavailable",
]);
/** What says nothing by itself of who can help: the status does. */
const CONNECTIONS = new Set([
  "httpConnectionFailed",
  "responseStreamConnectionFailed",
  "responseStreamDisconnected",
  "responseTooManyFailedAttempts",
]);
const TOO_MANY = 429;
/** Where Codex gives no kind: a request that was not answered may be answered later. */
const UNANSWERED = /\b(?:timed out|timeout|connection (?:closed|reset|refused))\b/i;
const FULL_PERCENT = 100;
const RETRY_MS = 30_000;

export function turnEnd(
  { status, error }: Turn,
  { limits, now }: { limits: RateLimits | undefined; now: number },
): TurnEnd {
  if (status === "interrupted") return { kind: "interrupted" };
  if (status !== "failed" || error === null) return { kind: "ended" };
  const reason = error.message;
  const { codexErrorInfo: info } = error;
  const isUnanswered = (info === null || info === "other") && UNANSWERED.test(reason);
  const kind = isUnanswered ? "trouble" : kindOf(info);
  if (kind === "failure") return { kind: "failed", reason };
  const until = kind === "limit" ? resetAt(limits) : now + RETRY_MS;
  return { kind: "limited", until, reason };
}

function kindOf(reason: ErrorReason): "limit" | "trouble" | "failure" {
  if (typeof reason === "string") {
    if (LIMITS.has(reason)) return "limit";
    return TROUBLES.has(reason) ? "trouble" : "failure";
  }
  const [kind, detail] = Object.entries(reason ?? {})[0] ?? [];
  if (kind === undefined || !CONNECTIONS.has(kind)) return "failure";
  const status = (detail as { httpStatusCode?: number | null } | null)?.httpStatusCode;
  if (status === TOO_MANY) return "limit";
  // Without a status there was no answer: the network may come back.
  return typeof status !== "number" || status >= 500 ? "trouble" : "failure";
}

/** In milliseconds; of several windows that are used up, the one that opens last. */
function resetAt(limits: RateLimits | undefined): number | undefined {
  const resets = [limits?.primary, limits?.secondary].flatMap((window) =>
    window !== undefined &&
    window !== null &&
    window.usedPercent >= FULL_PERCENT &&
    window.resetsAt !== null
      ? [window.resetsAt * 1000]
      : [],
  );
  return resets.length === 0 ? undefined : Math.max(...resets);
}
