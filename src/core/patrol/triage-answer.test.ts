import { expect, test } from "vitest";
import { readTriage, TRIAGE_KINDS } from "./triage-answer.ts";

test("an answer is a decision with its reason, and nothing else", () => {
  const text = '{"decision": "reply", "reason": " known ", "text": "Use 8081."}';
  expect(readTriage(text, TRIAGE_KINDS)).toEqual({
    kind: "answer",
    decision: "reply",
    reason: "known",
    text: "Use 8081.",
  });
});

test.each([
  ["forward it", "not a JSON object"],
  ["[]", "not a JSON object"],
  ['{"decision":"forward","reason":"x","confidence":1}', 'no field "confidence"'],
  ['{"decision":"ignore","reason":"x"}', "one of forward, reply, look, dismiss"],
  ['{"decision":"forward"}', "reason must say why"],
  ['{"decision":"forward","reason":" "}', "reason must say why"],
  [`{"decision":"forward","reason":"${"x".repeat(501)}"}`, "at most 500"],
  ['{"decision":"reply","reason":"x"}', "a reply needs `text`"],
  ['{"decision":"reply","reason":"x","text":7}', "text must have"],
])("%s is sent back: %s", (text, problem) => {
  expect(readTriage(text, TRIAGE_KINDS)).toMatchObject({
    kind: "problem",
    problem: expect.stringContaining(problem),
  });
});

test("what is not allowed here is refused, however well it is said", () => {
  const text = '{"decision":"dismiss","reason":"noise"}';
  expect(readTriage(text, ["forward"])).toMatchObject({ kind: "problem" });
});
