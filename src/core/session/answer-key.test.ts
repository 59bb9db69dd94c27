import { expect, test } from "vitest";
import { answerIndex, answerKey } from "./answer-key.ts";

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

test("the tenth choice has no key, but it is an answer", () => {
  const choices = Array.from({ length: 12 }, (_, index) => `way ${index}`);
  for (const words of ["way 9", "10"]) {
    expect(answerKey(message("answer", words), choices)).toBeUndefined();
    expect(answerIndex(message("answer", words), choices)).toBe(9);
  }
  expect(answerIndex(message("answer", "13"), choices)).toBeUndefined();
});
