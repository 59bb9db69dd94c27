// An agent may refuse an issue: it is too large, it waits for something else, or it is done already.
// It says so with `PHASE:failed`, `Reason: refused` and its result file; or in one word as the reason.
import { parseObject } from "../../lib/json-object.ts";
import type { ResultFile } from "../task.ts";

export type Refusal =
  | { kind: "too_large"; reason: string }
  | { kind: "unmet_dependency"; blockedBy: number[]; suggestion: string | undefined }
  | { kind: "already_done"; reason: string };

const REASON_MAX = 2000;

/** Undefined where the agent failed for another reason, or did not say what it refuses for. */
export function parseRefusal(
  reason: string | undefined,
  result: ResultFile | undefined,
): Refusal | undefined {
  const said = (reason ?? "").trim();
  if (/^refused\b/i.test(said))
    return fromResult(result) ?? fromWords(said.slice("refused".length));
  return fromWords(said);
}

function fromResult(result: ResultFile | undefined): Refusal | undefined {
  if (result?.kind !== "text") return undefined;
  const value = parseObject(result.text);
  if (value === undefined) return undefined;
  const { kind, status, reason, blocked_by: by, suggestion } = value;
  const numbers = (Array.isArray(by) ? by : [by]).map(issueNumber);
  return refusalOf(String(kind ?? status), {
    reason: textOf(reason),
    blockedBy: numbers.filter((number) => number !== undefined),
    suggestion: textOf(suggestion),
  });
}

/** `already_done: by #12`, `unmet_dependency: #3 #4`. */
function fromWords(text: string): Refusal | undefined {
  const found = /^[:\s]*(too_large|unmet_dependency|already_done)\b[:\s]*(.*)$/s.exec(text);
  if (found === null) return undefined;
  const [, kind = "", rest = ""] = found;
  const blockedBy = [...rest.matchAll(/#?(\d{1,9})\b/g)].map((match) => Number(match[1]));
  return refusalOf(kind, { reason: textOf(rest), blockedBy, suggestion: undefined });
}

function refusalOf(
  kind: string,
  said: { reason: string | undefined; blockedBy: number[]; suggestion: string | undefined },
): Refusal | undefined {
  const reason = said.reason ?? "the agent gave no reason";
  if (kind === "too_large" || kind === "already_done") return { kind, reason };
  if (kind !== "unmet_dependency" || said.blockedBy.length === 0) return undefined;
  const { blockedBy, suggestion } = said;
  return { kind, blockedBy: [...new Set(blockedBy)], suggestion };
}

const textOf = (value: unknown): string | undefined => {
  const text = typeof value === "string" || typeof value === "number" ? String(value).trim() : "";
  return text === "" ? undefined : text.slice(0, REASON_MAX);
};

function issueNumber(value: unknown): number | undefined {
  const number = Number(String(value).replace(/^#/, ""));
  return Number.isSafeInteger(number) && number > 0 ? number : undefined;
}
