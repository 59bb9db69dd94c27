import { expect, test } from "vitest";
import { readAsked, settledBy } from "./questions.ts";

test("a permission is asked for with the command, and each choice is what opencode reads", () => {
  const asked = readAsked({
    type: "permission.asked",
    properties: {
      id: "per_1",
      permission: "bash",
      patterns: ["npm test"],
      metadata: { command: "npm test -- --all" },
    },
  });
  expect(asked?.text).toBe("opencode asks for the permission bash: npm test -- --all");
  expect(asked?.choices.map(({ words, result }) => [words, result])).toEqual([
    ["Yes, this time", { path: "/permission/per_1/reply", body: { reply: "once" } }],
    ["Yes, always", { path: "/permission/per_1/reply", body: { reply: "always" } }],
    ["No", { path: "/permission/per_1/reply", body: { reply: "reject" } }],
  ]);
});

test("of several questions the first has the choices, and the others are left to the agent", () => {
  const options = [{ label: "Red" }, { label: "Blue" }];
  const questions = [
    { question: "Which?", options },
    { question: "How many?", options: [] },
  ];
  const asked = readAsked({ type: "question.asked", properties: { id: "que_1", questions } });
  expect(asked?.text).toBe("Which?\nHow many?");
  expect(asked?.choices.map(({ words }) => words)).toEqual([
    "Red",
    "Blue",
    "Decide yourself, and say what you assumed",
  ]);
  expect(asked?.choices[1]?.result).toEqual({
    path: "/question/que_1/reply",
    body: { answers: [["Blue"], ["Decide yourself, and say what you assumed"]] },
  });
});

test("what was answered at the screen is settled", () => {
  const properties = { requestID: "per_1" };
  expect(settledBy({ type: "permission.replied", properties })).toBe("per_1");
  expect(settledBy({ type: "question.rejected", properties })).toBe("per_1");
  expect(settledBy({ type: "session.idle", properties })).toBeUndefined();
});
