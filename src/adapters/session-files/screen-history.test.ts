import { expect, test } from "vitest";
import { ScreenHistory, scrolledOff } from "./screen-history.ts";

const numbered = (from: number, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `line ${from + index}`);

test("lines that went away at the top of a screen are kept, those that stayed are not", () => {
  expect(scrolledOff(numbered(1, 8), numbered(4, 8))).toEqual(numbered(1, 3));
  expect(scrolledOff(numbered(1, 8), numbered(1, 8))).toEqual([]);
  expect(scrolledOff(["a", "b", "c", "✻ 1s"], ["a", "b", "c", "✽ 2s"])).toEqual([]);
});

test("of a picture that was replaced altogether, nothing that is still shown is doubled", () => {
  expect(scrolledOff(["a", "b", "c", "box"], ["x", "y", "z", "box"])).toEqual(["a", "b", "c"]);
  expect(scrolledOff(["", ""], ["x", "y"])).toEqual([]);
});

test("a text that is scrolled through a screen comes out whole, and is bounded", () => {
  const history = new ScreenHistory(1_000);
  for (let top = 1; top <= 50; top += 3) history.look([...numbered(top, 10), `✻ ${top}s`]);
  expect(history.lines()).toEqual([...numbered(1, 58), "✻ 49s"]);
  const short = new ScreenHistory(10);
  for (let top = 1; top <= 50; top += 1) short.look(numbered(top, 5));
  expect(short.lines().length).toBeLessThanOrEqual(25);
  expect(short.lines().slice(-5)).toEqual(numbered(50, 5));
});

test("lines that come back at the top, because the spinner below has gone, are shown once", () => {
  const history = new ScreenHistory(1_000);
  history.look([...numbered(1, 6), "✻ 1s", "⎿ Tip", "box"]);
  history.look([...numbered(3, 6), "✽ 2s", "⎿ Tip", "box"]);
  history.look([...numbered(2, 8), "box"]);
  expect(history.lines()).toEqual([...numbered(1, 9), "box"]);
  // Further up than anything that was ever shown.
  expect(scrolledOff([...numbered(3, 6), "✻ 1s"], [...numbered(1, 7)])).toEqual([]);
});
