// When a key may be used again that a provider has refused with 429: what its headers and its words
// say. Pure; undefined where they say nothing of an end.
import type { ProviderName } from "../../ports/session-gateway.ts";
import { durationIn, saidDuration } from "../shared/said-duration.ts";

export type Refusal = {
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: string;
  at: number;
};

const REASON_MAX = 300;

export function limitEnd(
  provider: ProviderName,
  { headers, body, at }: Refusal,
): number | undefined {
  const header = (name: string): string | undefined => {
    const value = headers[name];
    return Array.isArray(value) ? value[0] : value;
  };
  const ms = Number(header("retry-after-ms"));
  if (Number.isFinite(ms) && ms > 0) return at + ms;
  const after = header("retry-after");
  if (after !== undefined) {
    const seconds = Number(after);
    if (Number.isFinite(seconds)) return at + seconds * 1000;
    const date = Date.parse(after);
    if (!Number.isNaN(date)) return date;
  }
  const reset = Number(header("anthropic-ratelimit-unified-reset"));
  if (provider === "anthropic" && reset > 0) return reset * 1000;
  const delay = /"retryDelay"\s*:\s*"(?<seconds>[\d.]+)s"/.exec(body)?.groups?.["seconds"];
  if (delay !== undefined) return at + Number(delay) * 1000;
  const waitMs = provider === "openai" ? openaiWait(header, body) : undefined;
  return waitMs === undefined ? undefined : at + waitMs;
}

/**
 * Its words say when this request would pass; its headers, when a limit is wholly free again. Of the
 * requests that is of interest only once none is left; a large request may also be refused while
 * some tokens are left. An account without money is no limit that ends.
 */
function openaiWait(
  header: (name: string) => string | undefined,
  body: string,
): number | undefined {
  if (body.includes("insufficient_quota")) return undefined;
  const resetOf = (what: string): number =>
    durationIn(header(`x-ratelimit-reset-${what}`) ?? "") ?? 0;
  const isOut = header("x-ratelimit-remaining-requests") === "0";
  const ms = saidDuration(body) ?? resetOf(isOut ? "requests" : "tokens");
  return ms > 0 ? ms : undefined;
}

/** The provider's own words, on one line. */
export function limitReason(body: string): string {
  const said = /"message"\s*:\s*"(?<said>(?:[^"\\]|\\.)*)"/.exec(body)?.groups?.["said"] ?? body;
  const line = said.replaceAll(/\\[nrt]|\s+/g, " ").trim();
  return `429: ${line === "" ? "too many requests" : line}`.slice(0, REASON_MAX);
}
