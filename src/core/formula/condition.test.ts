import { expect, test } from "vitest";
import { asksStatusOf, holds, operandsOf, type Condition, type Scope } from "./condition.ts";
import { readCondition } from "./read-condition.ts";

function read(text: string): Condition {
  const found = readCondition(text);
  if (found.kind === "problem") throw new Error(found.problem);
  return found.condition;
}

const scope: Scope = {
  vars: { env: "prod", count: "10", empty: "", off: "false" },
  step: (id) => (id === "scan" ? { status: "failed", output: "3 problems\n" } : undefined),
};

test.each([
  ['vars.env == "prod"', true],
  ["vars.env != 'prod'", false],
  ["vars.count > 9", true],
  ["vars.count < 9", false],
  ["vars.count >= 10 and vars.count <= 10", true],
  ['vars.count == "10.0"', true],
  ["vars.empty", false],
  ["vars.off", false],
  ["not vars.off", true],
  ["vars.env", true],
  ["true", true],
  ["false or vars.env == 'prod'", true],
  ["not (vars.env == 'prod' or vars.empty)", false],
  ["steps.scan.status == 'failed'", true],
  ["steps.scan.output contains 'problem'", true],
  ["steps.later.output == ''", true],
  ["'b' > 'a'", true],
])("%s is %s", (text, expected) => {
  expect(holds(read(text).means, scope)).toBe(expected);
});

test("a condition says what it asks about", () => {
  const condition = read("vars.a == '1' and (steps.x.status == 'done' or steps.y.output)");
  expect(operandsOf(condition.means).map(({ kind }) => kind)).toEqual([
    "var",
    "text",
    "step",
    "text",
    "step",
  ]);
  expect(asksStatusOf(condition)).toEqual(["x"]);
});
