import { expect, test } from "vitest";
import { answerTo } from "../api/answers.ts";
import { checkAnswer } from "./check-answer.ts";

const LETTER = {
  id: "m1",
  project: "p",
  thread: "m1",
  from: "a",
  to: "b",
  subject: "s",
  body: "",
  priority: "normal",
  at: "2026-01-01T00:00:00.000Z",
  status: "read",
  detail: "",
};

test("an answer that does not match its schema is an error that names the field", () => {
  const check = () => checkAnswer({ method: "GET", path: "/v1/signals?limit=1" }, [{ seq: "one" }]);
  expect(check).toThrow(/GET \/v1\/signals does not match its schema[^]*seq/);
});

test("an answer that matches, and one without a schema, are passed on", () => {
  expect(() => checkAnswer({ method: "GET", path: "/v1/signals" }, [])).not.toThrow();
  const attach = () => checkAnswer({ method: "GET", path: "/v1/runs/1/attach" }, { any: 1 });
  expect(attach).not.toThrow();
});

test("what a call that writes is answered with is checked as well", () => {
  checkAnswer({ method: "POST", path: "/v1/mail" }, LETTER);
  const { status: _, ...unfinished } = LETTER;
  const check = () => checkAnswer({ method: "POST", path: "/v1/mail" }, unfinished);
  expect(check).toThrow(/POST \/v1\/mail does not match its schema[^]*status/);
});

test("a word of a path is not taken for a name", () => {
  expect(answerTo("GET", "/v1/formulas/runs")?.safeParse([]).success).toBe(true);
  expect(answerTo("GET", "/v1/escalations/gate/g1")).toBeDefined();
});
