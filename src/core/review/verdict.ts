// The answer of a review, checked by code: what a model wrote counts only where every part of it is
// what it must be. Also which of its follow-ups are worth an issue.
import { isObject, parseObject } from "../../lib/json-object.ts";
import { oneLine } from "../../lib/one-line.ts";
import type { ReviewVerdict } from "../review.ts";

export type FollowUp = { title: string; body: string };

export type ReviewAnswer = {
  verdict: ReviewVerdict;
  reason: string;
  markdown: string;
  followUps: FollowUp[];
};

export type ParsedAnswer =
  | { kind: "answer"; answer: ReviewAnswer }
  | { kind: "problem"; problem: string };

const VERDICTS: Record<string, ReviewVerdict> = {
  APPROVE: "approve",
  REQUEST_CHANGES: "request-changes",
  DISCUSS: "discuss",
};
const REASON_MAX = 1000;
const MARKDOWN_MAX = 50_000;
const TITLE_MAX = 200;
const BODY_MAX = 10_000;
const FOLLOW_UPS_MAX = 5;

export function parseAnswer(text: string): ParsedAnswer {
  const value = parseObject(text);
  if (value === undefined) return problem("it is not one JSON object");
  const verdict = VERDICTS[word(value["verdict"])];
  if (verdict === undefined) {
    return problem(`"verdict" must be one of ${Object.keys(VERDICTS).join(", ")}`);
  }
  const reason = textOf(value["verdict_reason"], REASON_MAX);
  if (reason === undefined) return problem(needed("verdict_reason", REASON_MAX));
  const markdown = textOf(value["review_markdown"], MARKDOWN_MAX);
  if (markdown === undefined) return problem(needed("review_markdown", MARKDOWN_MAX));
  const followUps = followUpsOf(value["followups"] ?? []);
  if (followUps === undefined) {
    return problem(
      `"followups" must be a list of at most ${FOLLOW_UPS_MAX} objects with "title" (${TITLE_MAX} characters at most) and "body" (${BODY_MAX})`,
    );
  }
  return {
    kind: "answer",
    answer: { verdict, reason: oneLine(reason), markdown, followUps },
  };
}

const problem = (what: string): ParsedAnswer => ({ kind: "problem", problem: what });

const needed = (name: string, max: number): string =>
  `"${name}" must be a string that is not empty, with at most ${max} characters`;

const word = (value: unknown): string =>
  typeof value === "string" ? value.trim().toUpperCase().replaceAll("-", "_") : "";

function textOf(value: unknown, max: number): string | undefined {
  if (typeof value !== "string" || value.trim() === "" || value.length > max) return undefined;
  return value.trim();
}

function followUpsOf(value: unknown): FollowUp[] | undefined {
  if (!Array.isArray(value) || value.length > FOLLOW_UPS_MAX) return undefined;
  const found = value.map((item: unknown): FollowUp | undefined => {
    if (!isObject(item)) return undefined;
    const title = textOf(item["title"], TITLE_MAX);
    const body = textOf(item["body"], BODY_MAX);
    return title === undefined || body === undefined ? undefined : { title: oneLine(title), body };
  });
  const whole = found.filter((item) => item !== undefined);
  return whole.length === found.length ? whole : undefined;
}

/** Those that no open issue asks for already, compared by title regardless of spelling. */
export function freshFollowUps(wanted: FollowUp[], openTitles: string[]): FollowUp[] {
  const known = new Set(openTitles.map(normal));
  return wanted.filter(({ title }) => {
    const key = normal(title);
    const isNew = !known.has(key);
    known.add(key);
    return isNew;
  });
}

const normal = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
