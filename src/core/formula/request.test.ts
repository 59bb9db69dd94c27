import { expect, test } from "vitest";
import { FormulaWorld, formulaOf, PROJECT } from "../../../test/support/formula.ts";
import { emptyOutput } from "../effect.ts";
import { requestFormula } from "./request.ts";

const say = formulaOf(`name = "f"\n[[steps]]\nid = "a"\nbuiltin = "say"`);
const again = (world: FormulaWorld, key: string, renews: boolean) => {
  const about = { id: "f.1", formula: say, vars: {}, source: "x", by: "ada" };
  const event = {
    kind: "formula-requested",
    at: 5,
    project: PROJECT,
    key,
    renews,
    ...about,
  } as const;
  return requestFormula(world.run, event, { at: 5, output: emptyOutput() });
};

test("a run without commands begins at once, one with commands when its folder is there", () => {
  expect(new FormulaWorld(say).effects().map(({ kind }) => kind)).toEqual(["run-builtin"]);
  const run = new FormulaWorld(formulaOf(`name = "f"\n[[steps]]\nid = "a"\nrun = "true"`));
  expect(run.effects().map(({ kind }) => kind)).toEqual(["prepare-formula", "run-command"]);
});

test("the same id begins once; only what repeats and has ended begins again, as its next cycle", () => {
  const world = new FormulaWorld(say);
  expect(again(world, "other", true)).toBe(world.run);
  world.ended("a");
  expect(again(world, "other", false)).toBe(world.run);
  expect(again(world, "k", true)).toBe(world.run);
  expect(again(world, "other", true)).toMatchObject({ cycle: 2, outcome: undefined });
});
