// A model's answer about a letter: a small JSON object, checked to the last field. What is wrong with
// it goes back to the agent as it is said here.
import { parseObject } from "../../lib/json-object.ts";

export const TRIAGE_KINDS = ["forward", "reply", "look", "dismiss"] as const;
export type TriageKind = (typeof TRIAGE_KINDS)[number];

export type TriageAnswer = { decision: TriageKind; reason: string; text: string };

const REASON_MAX = 500;
const TEXT_MAX = 4000;
const FIELDS = ["decision", "reason", "text"];

type Read = ({ kind: "answer" } & TriageAnswer) | { kind: "problem"; problem: string };

export function readTriage(text: string, allowed: readonly TriageKind[]): Read {
  const fields = parseObject(text);
  if (fields === undefined) return wrong("the result file is not a JSON object");
  const unknown = Object.keys(fields).find((name) => !FIELDS.includes(name));
  if (unknown !== undefined) return wrong(`there is no field "${unknown}"`);
  const { decision, reason, text: words = "" } = fields;
  const known = allowed.find((one) => one === decision);
  if (known === undefined) return wrong(`decision must be one of ${allowed.join(", ")}`);
  if (!isText(reason, REASON_MAX) || reason.trim() === "") {
    return wrong(`reason must say why, in at most ${REASON_MAX} characters`);
  }
  if (!isText(words, TEXT_MAX)) return wrong(`text must have at most ${TEXT_MAX} characters`);
  if (known === "reply" && words.trim() === "") return wrong("a reply needs `text`");
  return { kind: "answer", decision: known, reason: reason.trim(), text: words.trim() };
}

const wrong = (problem: string): Read => ({ kind: "problem", problem });

const isText = (value: unknown, max: number): value is string =>
  typeof value === "string" && value.length <= max;
