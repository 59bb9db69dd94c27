// A turn that ended with an error of the API: what kind it is decides who has to act. A limit ends
// by itself, a failure of the server is tried again, and a person is asked about everything else.
import { textIn, type Payload } from "./payload.ts";

export type FailureKind = "limit" | "retry" | "authentication" | "billing" | "ask";

const KINDS: Record<string, FailureKind> = {
  rate_limit: "limit",
  overloaded: "retry",
  server_error: "retry",
  authentication_failed: "authentication",
  oauth_org_not_allowed: "authentication",
  account_on_hold: "authentication",
  verification_required: "authentication",
  cloud_credential_error: "authentication",
  billing_error: "billing",
  invalid_request: "ask",
  model_not_found: "ask",
  max_output_tokens: "ask",
};

/** Trouble of the server: Claude Code has tried for minutes already. */
const RETRY_MS = 30_000;

export type TurnFailure = {
  kind: FailureKind;
  reason: string;
  /** When to continue, where that is known. */
  until: number | undefined;
};

export function turnFailure(payload: Payload, at: number): TurnFailure {
  const error = textIn(payload, "error") ?? "unknown";
  const said = textIn(payload, "last_assistant_message") ?? "";
  const kind = KINDS[error] ?? kindBySaying(said);
  const reason = `${error}: ${said.slice(0, 500)}`;
  if (kind === "limit") return { kind, reason, until: limitEnd(said, at) };
  return { kind, reason, until: kind === "retry" ? at + RETRY_MS : undefined };
}

/** A 402 is reported as `unknown`. */
const kindBySaying = (said: string): FailureKind =>
  /\b402\b|credit balance|billing/i.test(said) ? "billing" : "ask";

const DAY_MS = 86_400_000;

/** "…|1794738600", "try again in 30 minutes" and "resets 5pm" (local time) are what it says. */
export function limitEnd(said: string, at: number): number | undefined {
  const stamp = /\|(\d{10})\b/.exec(said)?.[1];
  if (stamp !== undefined) return Number(stamp) * 1000;
  const [, amount, unit] = /\bin (\d+) ?(second|minute|hour)s?\b/i.exec(said) ?? [];
  if (amount !== undefined && unit !== undefined) {
    const unitMs = { second: 1000, minute: 60_000, hour: 3_600_000 }[unit.toLowerCase()] ?? 0;
    return at + Number(amount) * unitMs;
  }
  const [, hour, minute, half] =
    /\bresets?(?: at)? (\d{1,2})(?::(\d\d))? ?(am|pm)\b/i.exec(said) ?? [];
  if (hour === undefined || half === undefined) return undefined;
  const end = new Date(at);
  const hours = (Number(hour) % 12) + (half.toLowerCase() === "pm" ? 12 : 0);
  end.setHours(hours, Number(minute ?? 0), 0, 0);
  return end.getTime() > at ? end.getTime() : end.getTime() + DAY_MS;
}
