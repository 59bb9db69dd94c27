import { expect, test } from "vitest";
import { readCondition } from "./read-condition.ts";

test("what is written is kept beside what it means", () => {
  expect(readCondition("vars.a and not vars.b")).toEqual({
    kind: "condition",
    condition: {
      text: "vars.a and not vars.b",
      means: {
        kind: "and",
        all: [
          { kind: "is", of: { kind: "var", name: "a" } },
          { kind: "not", of: { kind: "is", of: { kind: "var", name: "b" } } },
        ],
      },
    },
  });
});

test.each([
  ["", "ends where a value is expected."],
  ["vars.a ==", "ends where a value is expected."],
  ["vars.a vars.b", 'ends before "vars.b". Join parts by and / or.'],
  ["(vars.a", 'lacks a ")".'],
  ["env == 'prod'", 'has "env", which is not a value.'],
  ["process.exit", 'has "process.exit", which is not a value.'],
  ["vars.a; rm", 'cannot be read at "; rm".'],
  ["not ".repeat(30) + "vars.a", "is nested deeper than 20."],
  ["x".repeat(600), "is longer than 500 characters."],
])("%s is refused", (text, problem) => {
  const read = readCondition(text);
  expect(read.kind === "problem" && read.problem).toContain(problem);
});
