// When a key may be used again that a provider has refused with 429: what its headers and its words
// say. Pure; undefined where they say nothing of an end.
import type { ProviderName } from "../../ports/session-gateway.ts";

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
  return delay === undefined ? undefined : at + Number(delay) * 1000;
}

/** The provider's own words, on one line. */
export function limitReason(body: string): string {
  const said = /"message"\s*:\s*"(?<said>(?:[^"\\]|\\.)*)"/.exec(body)?.groups?.["said"] ?? body;
  const line = said.replaceAll(/\\[nrt]|\s+/g, " ").trim();
  return `429: ${line === "" ? "too many requests" : line}`.slice(0, REASON_MAX);
}
