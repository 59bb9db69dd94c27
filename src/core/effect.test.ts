import { expect, test } from "vitest";
import { emptyOutput } from "./effect.ts";

test("every step collects into an output of its own", () => {
  const first = emptyOutput();
  first.cancelled.push("run:toy/42.1:check");
  expect(emptyOutput().cancelled).toEqual([]);
});
