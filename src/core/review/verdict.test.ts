import { expect, test } from "vitest";
import { freshFollowUps, parseAnswer } from "./verdict.ts";

const good = {
  verdict: "APPROVE",
  verdict_reason: "Does what it says.",
  review_markdown: "Fine.",
};
const parse = (change: object) => parseAnswer(JSON.stringify({ ...good, ...change }));

test.each([
  ["APPROVE", "approve"],
  ["approve", "approve"],
  [" request-changes ", "request-changes"],
  ["REQUEST_CHANGES", "request-changes"],
  ["Discuss", "discuss"],
])("the verdict %j is %s", (written, verdict) => {
  expect(parse({ verdict: written })).toMatchObject({ answer: { verdict } });
});

test("follow-ups come along, titles on one line", () => {
  const followups = [{ title: "Fix\n the parser", body: "It is slow." }];
  expect(parse({ followups })).toMatchObject({
    answer: { followUps: [{ title: "Fix the parser", body: "It is slow." }] },
  });
  expect(parse({})).toMatchObject({ answer: { followUps: [] } });
});

test.each([
  ["no JSON", "APPROVE", "one JSON object"],
  ["a list", "[]", "one JSON object"],
  ["a fenced block", "```json\n{}\n```", "one JSON object"],
  ["no verdict", "{}", "APPROVE, REQUEST_CHANGES, DISCUSS"],
])("%s is refused with what is wrong", (_, text, problem) => {
  const parsed = parseAnswer(text);
  expect(parsed.kind === "problem" && parsed.problem).toContain(problem);
});

test.each([
  [{ verdict: "LGTM" }, "verdict"],
  [{ verdict: 1 }, "verdict"],
  [{ verdict_reason: " " }, "verdict_reason"],
  [{ review_markdown: undefined }, "review_markdown"],
  [{ review_markdown: "x".repeat(50_001) }, "review_markdown"],
  [{ followups: {} }, "followups"],
  [{ followups: [{ title: "x" }] }, "followups"],
  [{ followups: Array.from({ length: 6 }, () => ({ title: "x", body: "y" })) }, "followups"],
])("%j is refused", (change, problem) => {
  const parsed = parse(change);
  expect(parsed.kind === "problem" && parsed.problem).toContain(problem);
});

test("a follow-up that an open issue asks for already makes no second issue", () => {
  const wanted = ["Fix the parser!", "New one", "new  ONE"].map((title) => ({ title, body: "b" }));
  expect(freshFollowUps(wanted, ["fix: the parser", "Other"])).toEqual([
    { title: "New one", body: "b" },
  ]);
});
