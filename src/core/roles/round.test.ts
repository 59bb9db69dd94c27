import { expect, test } from "vitest";
import { answered, gather, NOTHING_REMEMBERED, unanswered } from "./round.ts";

const DAY_MS = 86_400_000;
const finding = (name: string) => ({ name, level: "P3" as const, text: name });
const open = (at: number, ...closed: number[]) => ({
  at,
  open: [1, 2, 3, 4, 5].filter((number) => !closed.includes(number)).map((number) => ({ number })),
});
const dust = (issue: number, group = "docs") => ({ issue, group, title: `t${issue}`, reason: "r" });

test("an agent is not asked about the same thing twice within days", () => {
  const memory = answered(NOTHING_REMEMBERED, [finding("a")], 0);
  const both = [finding("a"), finding("b")];
  expect(unanswered(both, memory, DAY_MS).map(({ name }) => name)).toEqual(["b"]);
  expect(unanswered(both, memory, 7 * DAY_MS)).toHaveLength(2);
  expect(answered(memory, [], 7 * DAY_MS).asked).toEqual({});
});

test("a role that comes once a week asks every week, although it answered after its round began", () => {
  const HALF_HOUR_MS = 1_800_000;
  const memory = answered(NOTHING_REMEMBERED, [finding("vision")], HALF_HOUR_MS);
  expect(unanswered([finding("vision")], memory, 7 * DAY_MS)).toHaveLength(1);
});

test("three pieces of dust of one group become an issue, fewer wait", () => {
  const two = gather(NOTHING_REMEMBERED, [dust(1), dust(2), dust(3, "tests"), dust(2)], open(0));
  expect(two.bundles).toEqual([]);
  const three = gather(two.memory, [dust(4)], open(DAY_MS));
  expect(three.bundles).toEqual([{ group: "docs", dust: [dust(1), dust(2), dust(4)] }]);
  expect(three.memory.dust.map(({ issue }) => issue)).toEqual([3]);
});

test("dust is forgotten after thirty days", () => {
  const { memory } = gather(NOTHING_REMEMBERED, [dust(1), dust(2)], open(0));
  expect(gather(memory, [dust(3)], open(30 * DAY_MS)).bundles).toEqual([]);
});

test("what is closed is no dust any more, and fills no bundle", () => {
  const { memory } = gather(NOTHING_REMEMBERED, [dust(1), dust(2), dust(9)], open(0));
  expect(memory.dust.map(({ issue }) => issue)).toEqual([1, 2]);
  const later = gather(memory, [dust(3)], open(DAY_MS, 1));
  expect(later.bundles).toEqual([]);
  expect(later.memory.dust.map(({ issue }) => issue)).toEqual([2, 3]);
});
