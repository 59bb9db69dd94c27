import { expect, test } from "vitest";
import { answerMisfit, answerTaken, questionOnForge } from "./answers.ts";

test("a question names its reason, its choices, who may answer and how", () => {
  const about = { reason: "which?", choices: ["red", "blue"], operators: ["ann", "bo"], ref: "7" };
  expect(questionOnForge(about)).toMatchInlineSnapshot(`
    "Pawl needs a person: which?

    1. red
    2. blue

    @ann, @bo: answer with a comment here or on the PR, or with \`pawl escalation answer 7 "…"\`. The work is kept."
  `);
});

test("an answer is acknowledged to its author, also where it does not fit", () => {
  expect(answerTaken("ann")).toContain("@ann");
  expect(answerMisfit("ann", ["red"])).toContain("1. red");
});
