import { expect, test } from "vitest";
import { FormulaWorld, formulaOf } from "../../../test/support/formula.ts";
import { noCrash } from "../../lib/crash-point.ts";
import type { Committed } from "./loop.ts";
import { passStates, stepPoints } from "./journal-crash-points.ts";

const TWO = formulaOf(
  `name = "f"\n[[steps]]\nid = "a"\nbuiltin = "say"\n[[steps]]\nid = "b"\nneeds = ["a"]\nbuiltin = "say"\n`,
);

test("a step that has ended is a point, once the transaction is durable", () => {
  const listeners: ((committed: Committed) => void)[] = [];
  const passed: string[] = [];
  const engine = {
    onCommitted: (one: (committed: Committed) => void) => {
      listeners.push(one);
      return () => undefined;
    },
  };
  passStates(engine, noCrash);
  expect(listeners).toEqual([]);
  passStates(engine, (name) => void passed.push(name));
  const world = new FormulaWorld(TWO);
  world.ended("a");
  const changed = [{ id: "formula:toy/f.1", state: world.run }] as unknown as Committed["changed"];
  listeners[0]?.({ changed, effects: [], cancelled: [] });
  expect(passed).toEqual(["formula.f.a:done"]);
  expect(stepPoints(TWO)).toEqual(["formula.f.a:done", "formula.f.b:done"]);
});
