import { expect, test } from "vitest";
import { contextAt, testRun } from "../../../test/support/run.ts";
import type { Run } from "./run.ts";
import { warn } from "./warn.ts";

test("the newest warnings are kept, and not more than a screen of them", () => {
  let run: Run = testRun();
  for (let at = 0; at < 50; at += 1) run = warn(run, `warning ${at}`, contextAt(at));
  expect(run.warnings).toHaveLength(20);
  expect(run.warnings.at(-1)).toEqual({ at: 49, text: "warning 49" });
});
