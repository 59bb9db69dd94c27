// What the agent of a standing role may answer: a list of changes to issues that code carries out
// after checking it. Anything else is sent back to the agent with what is wrong.
import { isObject } from "../../lib/json-object.ts";
import { LABELS } from "../issue.ts";

export type StandingRole = "gardener" | "supervisor" | "planner" | "predictor";

const STANDING: readonly string[] = ["gardener", "supervisor", "planner", "predictor"];

export const isStandingRole = (role: string): role is StandingRole => STANDING.includes(role);

export type Change =
  | { kind: "create-issue"; title: string; body: string; labels: string[] }
  | { kind: "comment"; issue: number; body: string }
  | { kind: "add-label" | "remove-label"; issue: number; label: string }
  | { kind: "edit-body"; issue: number; body: string }
  | { kind: "close"; issue: number; reason: string }
  /** What becomes of a prediction; `title` and `body` where it is promoted. */
  | { kind: "triage"; issue: number; outcome: Triage; reason: string; title: string; body: string };

export type Triage = "action" | "backlog" | "watch" | "dismiss";

/** Too small for an issue of its own: bundled with others of its group. */
export type Dust = { issue: number; group: string; title: string; reason: string };

export type RoleResult = {
  summary: string;
  changes: Change[];
  dust: Dust[];
  /** Questions that only a person can answer. */
  questions: string[];
};

type Rules = { kinds: readonly Change["kind"][]; changesMax: number; issuesMax: number };

const RULES: Record<StandingRole, Rules> = {
  gardener: {
    kinds: ["create-issue", "comment", "add-label", "remove-label", "edit-body", "close"],
    changesMax: 20,
    issuesMax: 5,
  },
  supervisor: { kinds: ["comment", "add-label", "remove-label"], changesMax: 5, issuesMax: 0 },
  planner: {
    kinds: ["create-issue", "triage", "comment", "add-label", "remove-label"],
    changesMax: 20,
    issuesMax: 5,
  },
  predictor: { kinds: ["create-issue"], changesMax: 5, issuesMax: 5 },
};

const QUESTIONS_MAX = 5;
const DUST_MAX = 20;
const TITLE_MAX = 200;
const BODY_MAX = 20_000;
const TRIAGES: readonly string[] = ["action", "backlog", "watch", "dismiss"];
/**
 * Not an agent's to set or take: they say what a run is doing, start operations, or wait for a
 * person. A planner promotes predictions to operations by triage alone, in words of its own.
 */
const OWN_LABELS: readonly string[] = [LABELS.inProgress, LABELS.action, LABELS.blocked];

/** A sentence for the agent is thrown inside this file only, and caught where it begins. */
class Problem extends Error {}

export function readResult(
  role: StandingRole,
  text: string,
): { kind: "result"; result: RoleResult } | { kind: "problem"; problem: string } {
  try {
    const result = resultFrom(objectFrom(text));
    checkRules(RULES[role], result);
    if (role === "predictor") result.changes.forEach(checkPrediction);
    return { kind: "result", result };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { kind: "problem", problem: error.message };
  }
}

function objectFrom(text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    // The parser's own words tell the agent where it went wrong.
    throw new Problem(`the result is not JSON: ${String(error)}`);
  }
  return object(value, "the result");
}

function resultFrom(fields: Record<string, unknown>): RoleResult {
  only(fields, ["summary", "changes", "dust", "questions"], "the result");
  return {
    summary: optionalText(fields, "summary", { where: "the result", max: BODY_MAX }),
    changes: list(fields["changes"], "changes").map((one, index) =>
      changeFrom(object(one, `changes[${index}]`), `changes[${index}]`),
    ),
    dust: list(fields["dust"], "dust").map((one, index) =>
      dustFrom(object(one, `dust[${index}]`), `dust[${index}]`),
    ),
    questions: list(fields["questions"], "questions").map((one, index) => {
      if (typeof one === "string" && one.trim() !== "") return one.slice(0, BODY_MAX);
      throw new Problem(`questions[${index}] is not a string`);
    }),
  };
}

function changeFrom(fields: Record<string, unknown>, where: string): Change {
  const known = (names: string[]): void => only(fields, ["kind", ...names], where);
  const body = (): string => text(fields, "body", { where, max: BODY_MAX });
  const title = (): string => text(fields, "title", { where, max: TITLE_MAX });
  switch (fields["kind"]) {
    case "create-issue":
      known(["title", "body", "labels"]);
      return { kind: "create-issue", title: title(), body: body(), labels: labels(fields, where) };
    case "comment":
      known(["issue", "body"]);
      return { kind: "comment", issue: issue(fields, where), body: body() };
    case "add-label":
    case "remove-label":
      known(["issue", "label"]);
      return { kind: fields["kind"], issue: issue(fields, where), label: label(fields, where) };
    case "edit-body":
      known(["issue", "body"]);
      return { kind: "edit-body", issue: issue(fields, where), body: body() };
    case "close":
      known(["issue", "reason"]);
      return { kind: "close", issue: issue(fields, where), reason: reason(fields, where) };
    case "triage":
      known(["issue", "outcome", "reason", "title", "body"]);
      return triageFrom(fields, where);
    default:
      throw new Problem(`${where} has an unknown kind: ${JSON.stringify(fields["kind"])}`);
  }
}

function triageFrom(fields: Record<string, unknown>, where: string): Change {
  const { outcome } = fields;
  if (typeof outcome !== "string" || !TRIAGES.includes(outcome)) {
    throw new Problem(`${where}: outcome is one of ${TRIAGES.join(", ")}`);
  }
  const promoted = outcome === "action" || outcome === "backlog";
  const given = (name: "title" | "body", max: number): string =>
    promoted ? text(fields, name, { where, max }) : optionalText(fields, name, { where, max });
  return {
    kind: "triage",
    issue: issue(fields, where),
    outcome: outcome as Triage,
    reason: reason(fields, where),
    title: given("title", TITLE_MAX),
    body: given("body", BODY_MAX),
  };
}

function dustFrom(fields: Record<string, unknown>, where: string): Dust {
  only(fields, ["issue", "group", "title", "reason"], where);
  return {
    issue: issue(fields, where),
    group: text(fields, "group", { where, max: 60 }),
    title: text(fields, "title", { where, max: TITLE_MAX }),
    reason: reason(fields, where),
  };
}

function checkRules(rules: Rules, result: RoleResult): void {
  const { changes, dust, questions } = result;
  for (const { kind } of changes) {
    if (!rules.kinds.includes(kind)) {
      throw new Problem(
        `"${kind}" is not allowed for this role; it may: ${rules.kinds.join(", ")}`,
      );
    }
  }
  const made = changes.filter(
    (change) =>
      change.kind === "create-issue" ||
      (change.kind === "triage" && (change.outcome === "action" || change.outcome === "backlog")),
  ).length;
  atMost(changes.length, rules.changesMax, "changes");
  atMost(made, rules.issuesMax, "new issues, promotions included");
  atMost(dust.length, DUST_MAX, "pieces of dust");
  atMost(questions.length, QUESTIONS_MAX, "questions");
}

/** A prediction says what was seen, how sure it is, and what could be done. */
function checkPrediction(change: Change): void {
  if (change.kind !== "create-issue") return;
  for (const part of ["Signal source:", "Confidence:", "Suggested action:"]) {
    if (!change.body.includes(part)) {
      throw new Problem(`the body of "${change.title}" has no line that begins with "${part}"`);
    }
  }
}

function atMost(count: number, max: number, what: string): void {
  if (count > max) throw new Problem(`${count} ${what}, at most ${max} are allowed`);
}

function only(fields: Record<string, unknown>, names: string[], where: string): void {
  const unknown = Object.keys(fields).find((name) => !names.includes(name));
  if (unknown !== undefined) {
    throw new Problem(`${where} has an unknown field "${unknown}"; known: ${names.join(", ")}`);
  }
}

function object(value: unknown, where: string): Record<string, unknown> {
  if (isObject(value)) return value;
  throw new Problem(`${where} is not an object`);
}

function list(value: unknown, where: string): unknown[] {
  if (value === undefined) return [];
  if (Array.isArray(value)) return value;
  throw new Problem(`${where} is not a list`);
}

type Limits = { where: string; max: number };

function text(fields: Record<string, unknown>, name: string, { where, max }: Limits): string {
  const value = fields[name];
  if (typeof value !== "string" || value.trim() === "")
    throw new Problem(`${where}: ${name} is missing`);
  if (value.length > max) throw new Problem(`${where}: ${name} has more than ${max} characters`);
  return value.trim();
}

const optionalText = (fields: Record<string, unknown>, name: string, limits: Limits): string =>
  fields[name] === undefined || fields[name] === "" ? "" : text(fields, name, limits);

const reason = (fields: Record<string, unknown>, where: string): string =>
  text(fields, "reason", { where, max: 2000 });

function issue(fields: Record<string, unknown>, where: string): number {
  const value = fields["issue"];
  if (typeof value === "number" && Number.isSafeInteger(value) && value > 0) return value;
  throw new Problem(`${where}: issue is the number of an issue`);
}

function label(fields: Record<string, unknown>, where: string): string {
  const value = text(fields, "label", { where, max: 50 });
  if (OWN_LABELS.includes(value))
    throw new Problem(`${where}: "${value}" is a label that agents may not add or remove`);
  return value;
}

function labels(fields: Record<string, unknown>, where: string): string[] {
  return list(fields["labels"], `${where}: labels`).map((one, index) =>
    label({ label: one }, `${where}: labels[${index}]`),
  );
}
