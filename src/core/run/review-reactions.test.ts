import { expect, test } from "vitest";
import { HEAD, contextAt, tellKinds, testRun } from "../../../test/support/run.ts";
import { commitId } from "../ids.ts";
import type { ReviewFacts } from "../review.ts";
import { reviewsObserved, reviewOverdue } from "./review-reactions.ts";
import type { Run } from "./run.ts";

const reviewing = (change: Partial<Run> = {}): Run =>
  testRun({ head: HEAD, stage: { kind: "reviewing", head: HEAD, deadline: 9 }, ...change });

const review = (change: Partial<ReviewFacts> = {}): ReviewFacts => ({
  id: "r1",
  author: "ada",
  head: HEAD,
  verdict: "approve",
  body: "Name it better.",
  createdAt: 0,
  dismissed: false,
  ...change,
});

test("an approval brings the branch into the merge queue, and the agent hears of it", () => {
  const context = contextAt();
  const run = reviewsObserved(reviewing(), [review()], context);
  expect(run.stage).toEqual({ kind: "queued", head: HEAD });
  expect(tellKinds(context.output)).toEqual(["entry-requested"]);
  expect(run.messages[0]?.text).toContain("Approved by ada");
});

test.each(["request-changes", "discuss"] as const)(
  "the text of a review that says %s goes to the agent",
  (verdict) => {
    const run = reviewsObserved(reviewing(), [review({ verdict })], contextAt());
    expect([run.stage.kind, run.counts.reviewRounds]).toEqual(["working", 1]);
    expect(run.messages[0]?.text).toContain("Name it better.");
  },
);

test("changes after the last round block the issue", () => {
  const counts = { ...reviewing().counts, reviewRounds: 5 };
  const run = reviewsObserved(
    reviewing({ counts }),
    [review({ verdict: "request-changes" })],
    contextAt(),
  );
  expect(run.outcome).toMatchObject({ kind: "blocked" });
});

test("the same review seen again, or one of another head, changes nothing", () => {
  const run = reviewing({ review: review() });
  expect(reviewsObserved(run, [review()], contextAt())).toBe(run);
  expect(reviewsObserved(run, [review({ id: "r2", head: commitId("old1") })], contextAt())).toBe(
    run,
  );
});

test("a review is remembered before the run waits for it", () => {
  const run = reviewsObserved(reviewing({ stage: { kind: "working" } }), [review()], contextAt());
  expect([run.stage.kind, run.review?.id]).toEqual(["working", "r1"]);
});

test("an overdue review is put before a person, and a late one answers", () => {
  const asked = reviewOverdue(reviewing(), HEAD, contextAt());
  expect(asked.stage.kind).toBe("escalated");
  expect(asked.messages[0]?.kind).toBe("review-timeout");
  expect(reviewsObserved(asked, [review()], contextAt()).stage.kind).toBe("queued");
});
