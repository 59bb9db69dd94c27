import { expect, test } from "vitest";
import { ancestorsOf, cycleIn, wavesOf } from "./plan.ts";

const steps = [
  { id: "a", needs: [] },
  { id: "b", needs: ["a"] },
  { id: "c", needs: ["a"] },
  { id: "d", needs: ["b", "c"] },
  { id: "e", needs: [] },
];

test("steps that need nothing of each other are in one wave", () => {
  expect(wavesOf(steps).map((wave) => wave.map(({ id }) => id))).toEqual([
    ["a", "e"],
    ["b", "c"],
    ["d"],
  ]);
});

test("what comes before a step is everything that it needs, however far", () => {
  expect([...ancestorsOf(steps, "d")].toSorted()).toEqual(["a", "b", "c"]);
  expect([...ancestorsOf(steps, "e")]).toEqual([]);
});

test("a circle is told with every step of it, and drawn all the same", () => {
  const circle = [
    { id: "a", needs: ["c"] },
    { id: "b", needs: ["a"] },
    { id: "c", needs: ["b"] },
  ];
  expect(cycleIn(circle)).toEqual(["a", "c", "b", "a"]);
  expect(cycleIn(steps)).toBeUndefined();
  expect(cycleIn([{ id: "a", needs: ["a"] }])).toEqual(["a", "a"]);
  expect(wavesOf(circle)).toHaveLength(1);
});
