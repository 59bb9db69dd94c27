// How a turn has ended, from what the agent answers to its prompt. `end_turn` is no success, and an
// error is a wait where it passes by itself: agents say so in their own ways, or only in words.
import { isObject } from "../../../lib/json-object.ts";
import type { TurnEnd } from "../agent-host/driver.ts";
import { isUnreachable } from "../agent-host/unreachable.ts";
import { saidDuration } from "../said-duration.ts";

/** Trouble of the model's server: the agent has tried for a while already. */
const RETRY_MS = 30_000;

/** By `data.errorKind`, where an agent says it. */
const KINDS: Record<string, "limit" | "retry" | "ask"> = {
  rate_limit: "limit",
  overloaded: "retry",
  server_error: "retry",
  authentication_failed: "ask",
  billing_error: "ask",
  invalid_request: "ask",
  model_not_found: "ask",
};

const LIMIT = /\b429\b|rate.?limit|quota|resource.?exhausted|too many requests|usage limit/i;
const SERVER = /\b5\d\d\b|overloaded|unavailable|internal server error|network|ECONN|timed? ?out/i;
/** An account without money answers with the words of a limit. */
const NO_MONEY = /credit balance|insufficient.?quota/i;
/** No limit, unless it says when it ends: in a limit, some providers advise to pay for more. */
const REFUSED = /\b40[123]\b|billing (?:error|hard limit|details)/i;
const ACCOUNT = /\b40[123]\b|authenticat|unauthori[sz]ed|api key|sign in|log ?in|billing|credit/i;

export type Failure = { message: string; data?: unknown };

export function failedTurn({ message, data }: Failure, at: number): TurnEnd {
  const details = isObject(data) ? data : {};
  const text = [message, details["details"]].filter((one) => typeof one === "string").join(": ");
  const kind = typeof details["errorKind"] === "string" ? details["errorKind"] : undefined;
  const waitMs = saidDuration(text);
  const asked = KINDS[kind ?? ""] ?? kindBySaying(text, waitMs !== undefined);
  if (asked === "ask") return { kind: "failed", reason: reasonOf(text, kind) };
  const ms = waitMs ?? (asked === "retry" ? RETRY_MS : undefined);
  const until = ms === undefined ? undefined : at + ms;
  return { kind: "limited", until, reason: reasonOf(text, kind) };
}

function kindBySaying(text: string, hasEnd: boolean): "limit" | "retry" | "ask" {
  if (NO_MONEY.test(text)) return "ask";
  if (LIMIT.test(text) && (hasEnd || !REFUSED.test(text))) return "limit";
  // Before the words of an account: a login may fail because the network is away.
  if (isUnreachable(text)) return "retry";
  if (ACCOUNT.test(text)) return "ask";
  return SERVER.test(text) ? "retry" : "ask";
}

const reasonOf = (text: string, kind: string | undefined): string =>
  kind === undefined ? text : `${kind}: ${text}`;

export function endedTurn(
  response: { stopReason: string },
  said: { text: string; failureText: string | undefined },
  at: number,
): TurnEnd {
  switch (response.stopReason) {
    case "cancelled":
      return { kind: "interrupted" };
    case "refusal":
      return { kind: "failed", reason: "the model refused to answer" };
    default: {
      const { failureText, text } = said;
      const failure = failureText === undefined ? null : new RegExp(failureText, "m").exec(text);
      return failure === null ? { kind: "ended" } : failedTurn({ message: failure[0] }, at);
    }
  }
}
