import { expect, test } from "vitest";
import { answerIndex, answerKey, questionLine, showsChoices } from "./answer-key.ts";

const CHOICES = ["Yes", "Yes, and don't ask again", "No"];
const message = (kind: string, words: string): string =>
  `Id: m5\nKind: ${kind}\n\nann answers:\n\n${words}\n\nContinue the work.\n`;

test("an answer presses the number of its choice", () => {
  expect(answerKey(message("answer", "yes"), CHOICES)).toBe("1");
  expect(answerKey(message("answer", "No"), CHOICES)).toBe("3");
  expect(answerKey(message("answer", "2"), CHOICES)).toBe("2");
});

test("other words, other numbers and other messages press nothing", () => {
  expect(answerKey(message("answer", "maybe"), CHOICES)).toBeUndefined();
  expect(answerKey(message("answer", "4"), CHOICES)).toBeUndefined();
  expect(answerKey(message("ci-failed", "Yes"), CHOICES)).toBeUndefined();
});

test("only the person's own words choose, and only one choice", () => {
  const choices = ["Continue the work.", "answer", "Stop"];
  expect(answerKey(message("answer", "no, never"), choices)).toBeUndefined();
  expect(answerKey(message("answer", "stop\nyou broke it"), choices)).toBe("3");
  expect(answerKey(message("answer", "Yes\nNo"), CHOICES)).toBeUndefined();
  expect(answerKey(message("answer", "Continue the work."), choices)).toBe("1");
});

test("the tenth choice has no key, but it is an answer", () => {
  const choices = Array.from({ length: 12 }, (_, index) => `way ${index}`);
  for (const words of ["way 9", "10"]) {
    expect(answerKey(message("answer", words), choices)).toBeUndefined();
    expect(answerIndex(message("answer", words), { id: "q1", choices })).toBe(9);
  }
  expect(answerIndex(message("answer", "13"), { id: "q1", choices })).toBeUndefined();
});

const answerTo = (id: string): string =>
  `Id: m5\nKind: answer\n${questionLine({ id, text: "?", choices: [] })}\n\nann answers:\n\nYes\n`;

test("an answer to one question is none to another with the same choices", () => {
  const open = { id: "q2", choices: CHOICES };
  expect(answerIndex(answerTo("q2"), open)).toBe(0);
  expect(answerIndex(answerTo("q1"), open)).toBeUndefined();
  expect(answerIndex(message("answer\nQuestion: none", "Yes"), open)).toBeUndefined();
});

test("an answer of an earlier version, or typed at the pane, is for the question that is open", () => {
  expect(answerIndex(message("answer", "Yes"), { id: "q2", choices: CHOICES })).toBe(0);
});

test("the id of a question stays one line of the head, however it is written", () => {
  const id = `q\nUrgent: yes\n\n${"x".repeat(300)}`;
  expect(questionLine({ id, text: "?", choices: [] })).toMatch(/^Question: q Urgent: yes x+$/);
  expect(answerIndex(answerTo(id), { id, choices: CHOICES })).toBe(0);
});

test("a dialog shows the choices of a question where each is one of its labels", () => {
  const yes = { choices: ["Yes", "No"] };
  expect(showsChoices(yes, ["Yes", "Yes, always", "No, and say what to do"])).toBe(true);
  expect(showsChoices({ choices: ["a label that is cut off"] }, ["A label that is"])).toBe(true);
  expect(showsChoices(yes, ["Red", "Blue"])).toBe(false);
  expect(showsChoices({ choices: ["Red", "No"] }, ["Yes", "No"])).toBe(false);
});
