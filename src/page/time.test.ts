import { expect, test } from "vitest";
import { ago, span } from "./time.ts";

test.for([
  [0, "0 seconds"],
  [1000, "1 second"],
  [59_400, "59 seconds"],
  [60_000, "1 minute"],
  [7_200_000, "2 hours"],
  [90_000_000, "1 day"],
] as const)("%i ms are said as %s", ([ms, text]) => {
  expect(span(ms)).toBe(text);
});

test("a time in the future is said as now, because clocks of browser and daemon may differ", () => {
  expect(ago(new Date(5000).toISOString(), 0)).toBe("0 seconds ago");
});
