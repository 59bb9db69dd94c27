// What an agent says of its own progress: the phase protocol, and how it refuses an issue.
import { parseObject } from "../../lib/json-object.ts";
import type { ResultFile } from "../task.ts";

export const PHASES = ["awaiting_ci", "awaiting_review", "escalate", "done", "failed"] as const;
export type Phase = (typeof PHASES)[number];

export type ParsedPhase =
  | { kind: "phase"; phase: Phase; reason: string | undefined }
  | { kind: "invalid"; line: string }
  | { kind: "unwritten" };

const REASON_MAX = 2000;

/** First line, white space removed; line 2 may be `Reason: …`. An empty file is unwritten. */
export function parsePhase(text: string): ParsedPhase {
  const lines = text.split("\n");
  const word = (lines[0] ?? "").replaceAll(/\s/g, "");
  if (text.trim() === "") return { kind: "unwritten" };
  const phase = phaseNamed(word);
  if (phase === undefined) return { kind: "invalid", line: (lines[0] ?? "").slice(0, 200) };
  return { kind: "phase", phase, reason: reasonOf(lines.slice(1)) };
}

function phaseNamed(word: string): Phase | undefined {
  if (!word.startsWith("PHASE:")) return undefined;
  const name = word.slice("PHASE:".length);
  // The older name of the same thing.
  if (name === "needs_human") return "escalate";
  return PHASES.find((phase) => phase === name);
}

function reasonOf(lines: string[]): string | undefined {
  const text = lines.join("\n").trim();
  if (text === "") return undefined;
  return text.replace(/^Reason:\s*/i, "").slice(0, REASON_MAX);
}

/** The seed's own path, so that its shell lines work; Pawl points it at the current life's file. */
export const phaseLinkPath = (life: { role: string; project: string; name: string }): string =>
  `/tmp/${life.role}-session-${life.project}-${life.name}.phase`;

// An agent may refuse an issue: it is too large, it waits for something else, or it is done already.
// It says so with `PHASE:failed`, `Reason: refused` and its result file; or in one word as the reason.

export type Refusal =
  | { kind: "too_large"; reason: string }
  | { kind: "unmet_dependency"; blockedBy: number[]; suggestion: string | undefined }
  | { kind: "already_done"; reason: string };

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
