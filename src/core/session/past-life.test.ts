import { expect, test } from "vitest";
import type { Session } from "./session.ts";
import { withPastLife } from "./past-life.ts";

const life = (epoch: number): Session =>
  ({ id: `dev-1-${epoch}@p`, epoch, verdict: "crashed", evidence: {} }) as never;

test("a life that is over keeps its id and how it ended, without its evidence", () => {
  expect(withPastLife([], life(1))).toEqual([
    expect.objectContaining({ id: "dev-1-1@p", epoch: 1, verdict: "crashed" }),
  ]);
  expect(withPastLife([], life(1))?.[0]).not.toHaveProperty("evidence");
});

test("before the first life there is none, and only the last 20 are kept", () => {
  expect(withPastLife([], undefined)).toBeUndefined();
  let lives = withPastLife([], life(1)) ?? [];
  for (let epoch = 2; epoch <= 30; epoch += 1) lives = withPastLife(lives, life(epoch)) ?? [];
  expect(lives.map(({ epoch }) => epoch)).toEqual(Array.from({ length: 20 }, (_, at) => at + 11));
});
