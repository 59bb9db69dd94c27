import { expect, test } from "vitest";
import { commitId } from "./ids.ts";
import { reviewOf, type ReviewFacts } from "./review.ts";

const head = commitId("aaa1");

const review = (change: Partial<ReviewFacts>): ReviewFacts => ({
  id: "r1",
  author: "ada",
  head,
  verdict: "approve",
  body: "",
  createdAt: 1,
  dismissed: false,
  ...change,
});

test("the latest review of the head counts, in every order", () => {
  const reviews = [review({ id: "r2", createdAt: 9 }), review({ id: "r1", createdAt: 2 })];
  expect(reviewOf(reviews, head)?.id).toBe("r2");
});

test("a review of another head, or a dismissed one, does not count", () => {
  const reviews = [review({ head: commitId("old") }), review({ dismissed: true })];
  expect(reviewOf(reviews, head)).toBeUndefined();
});

test("of two reviews at the same instant the one with the later id counts", () => {
  expect(reviewOf([review({ id: "r2" }), review({ id: "r1" })], head)?.id).toBe("r2");
});
