import { expect, test } from "vitest";
import { isStandingRole, readResult, type StandingRole } from "./result.ts";

const read = (role: StandingRole, value: unknown) => readResult(role, JSON.stringify(value));
const problem = (role: StandingRole, value: unknown): string => {
  const found = read(role, value);
  return found.kind === "problem" ? found.problem : "";
};
const issue = (title: string, body = "text") => ({ kind: "create-issue", title, body });

test("an empty answer is an answer", () => {
  expect(read("gardener", {})).toEqual({
    kind: "result",
    result: { summary: "", changes: [], dust: [], questions: [] },
  });
});

test.each<[StandingRole, unknown, string]>([
  ["gardener", [], "the result is not an object"],
  ["gardener", { change: [] }, 'unknown field "change"'],
  ["gardener", { changes: [{ kind: "merge" }] }, "an unknown kind"],
  ["gardener", { changes: [{ kind: "close", issue: "1", reason: "r" }] }, "number of an issue"],
  ["gardener", { changes: [{ kind: "close", issue: 1 }] }, "reason is missing"],
  ["gardener", { changes: [{ kind: "comment", issue: 1, body: "b", by: "me" }] }, '"by"'],
  [
    "gardener",
    { changes: [{ kind: "add-label", issue: 1, label: "in-progress" }] },
    "agents may not add or remove",
  ],
  ["gardener", { changes: Array(6).fill(issue("t")) }, "6 new issues"],
  ["gardener", { questions: ["", "a"] }, "questions[0]"],
  ["supervisor", { changes: [issue("t")] }, "not allowed for this role"],
  ["supervisor", { changes: Array(6).fill({ kind: "comment", issue: 1, body: "b" }) }, "at most 5"],
  ["planner", { changes: [{ kind: "triage", issue: 1, outcome: "later", reason: "r" }] }, "one of"],
  ["planner", { changes: [{ kind: "triage", issue: 1, outcome: "action", reason: "r" }] }, "title"],
  ["predictor", { changes: [issue("t")] }, "Signal source:"],
  [
    "predictor",
    { changes: [{ kind: "comment", issue: 1, body: "b" }] },
    "not allowed for this role",
  ],
])("%s: %j is sent back with what is wrong", (role, value, expected) => {
  expect(problem(role, value)).toContain(expected);
});

test("what is no JSON is sent back with the parser's words", () => {
  expect(readResult("gardener", "{")).toMatchObject({ kind: "problem" });
});

test("promotions of predictions count among the planner's five issues", () => {
  const triage = {
    kind: "triage",
    issue: 1,
    outcome: "backlog",
    reason: "r",
    title: "t",
    body: "b",
  };
  const watch = { kind: "triage", issue: 2, outcome: "watch", reason: "r" };
  const five = [...Array(4).fill(issue("t")), triage];
  expect(problem("planner", { changes: [...five, watch] })).toBe("");
  expect(problem("planner", { changes: [...five, triage] })).toContain("promotions included");
});

test("only the four that stand are standing roles", () => {
  expect(["gardener", "dev", "action"].filter(isStandingRole)).toEqual(["gardener"]);
});
