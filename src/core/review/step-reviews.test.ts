import { expect, test } from "vitest";
import { kinds, tellKinds, PROJECT } from "../../../test/support/run.ts";
import { testRole } from "../../../test/support/review.ts";
import { emptyOutput, type Output } from "../effect.ts";
import type { Event } from "../event.ts";
import { commitId, reviewsAggregate, runId } from "../ids.ts";
import type { ReviewMaterial, Reviews, WantedReview } from "./reviews.ts";
import { stepReviews } from "./step-reviews.ts";

const ID = reviewsAggregate(PROJECT);
const head = commitId("h1");
const commit = commitId("merged");
const material: ReviewMaterial = {
  issue: undefined,
  diff: "+a",
  files: ["README.md"],
  since: undefined,
  comments: [],
};

const wanted = (pr = 17, change: Partial<WantedReview> = {}): Event => ({
  kind: "review-wanted",
  at: 0,
  wanted: {
    pr,
    head,
    branch: `b${pr}`,
    title: "Greet",
    issue: 3,
    run: runId("3.1"),
    target: "main",
    role: testRole({ parallel: 2 }),
    ...change,
  },
});
const prepared = (pr = 17, at = head): Event => ({
  kind: "review-prepared",
  at: 0,
  pr,
  head: at,
  commit,
  material,
});
const finished = (
  outcome: Extract<Event, { kind: "task-finished" }>["outcome"],
  errors = 0,
): Event => ({
  kind: "task-finished",
  at: 0,
  key: `review 17 ${errors + 1}`,
  run: runId("review-17.1"),
  outcome,
});
const GOOD = JSON.stringify({ verdict: "approve", verdict_reason: "r", review_markdown: "m" });

function after(...events: Event[]): { reviews: Reviews; output: Output } {
  let reviews: Reviews | undefined;
  let output = emptyOutput();
  for (const event of events) {
    output = emptyOutput();
    reviews = stepReviews(ID, reviews, { event, output });
  }
  return { reviews: reviews as Reviews, output };
}
const states = ({ prs }: Reviews): string[] => prs.map(({ state }) => state.kind);

test("a green PR is prepared, and reviewed by a task at the merged result", () => {
  expect(kinds(after(wanted()).output)).toEqual(["prepare-review"]);
  const { reviews, output } = after(wanted(), prepared());
  expect(states(reviews)).toEqual(["asked"]);
  expect(output.tells).toMatchObject([
    {
      to: "project:toy",
      event: { task: { role: "review", name: "17", at: { commit }, output: "result" } },
    },
  ]);
});

test("no more than `parallel` at a time; the next one follows", () => {
  const three = [wanted(1), wanted(2), wanted(3)];
  expect(states(after(...three).reviews)).toEqual(["preparing", "preparing", "waiting"]);
  const gone: Event = { kind: "review-unwanted", at: 0, pr: 1, over: true };
  expect(states(after(...three, gone).reviews)).toEqual(["preparing", "preparing"]);
});

test("the same head is reviewed once, a new one replaces the old", () => {
  expect(after(wanted(), prepared(), wanted()).output.effects).toEqual([]);
  const next = after(wanted(), prepared(), wanted(17, { head: commitId("h2") }));
  expect(tellKinds(next.output)).toEqual(["task-withdrawn"]);
  expect(kinds(next.output)).toEqual(["release-candidates", "prepare-review"]);
});

test("a valid answer is accepted and posted; the run that waits hears of it", () => {
  const events = [wanted(), prepared(), finished({ kind: "result", text: GOOD })];
  const { reviews, output } = after(...events);
  expect(tellKinds(output)).toEqual(["task-accepted"]);
  expect(output.effects).toMatchObject([{ effect: { kind: "post-review", verdict: "approve" } }]);
  expect(states(reviews)).toEqual(["posting"]);
  const review = {
    id: "r1",
    author: "pawl-review",
    head,
    verdict: "approve",
    body: "m",
    createdAt: 0,
    dismissed: false,
  } as const;
  const posted = after(...events, { kind: "review-posted", at: 0, pr: 17, review });
  expect(posted.output.tells).toMatchObject([
    { to: "run:toy/3.1", event: { kind: "reviews-observed", reviews: [{ id: "r1" }] } },
  ]);
  expect(states(posted.reviews)).toEqual(["reviewed"]);
  const again = after(
    ...events,
    { kind: "review-posted", at: 0, pr: 17, review },
    wanted(17, { head: commitId("h2") }),
  );
  expect(again.output.effects).toMatchObject([{ effect: { previous: head } }]);
});

test("an invalid answer goes back to its agent", () => {
  const { reviews, output } = after(
    wanted(),
    prepared(),
    finished({ kind: "result", text: "LGTM" }),
  );
  expect(output.tells).toMatchObject([
    {
      to: "run:toy/review-17.1",
      event: { kind: "task-refused", problem: "it is not one JSON object" },
    },
  ]);
  expect(states(reviews)).toEqual(["asked"]);
});

test("the third error of a head stops, is said on the PR, and is put before a person", () => {
  const fail = (errors: number) => finished({ kind: "failed", reason: "broke" }, errors);
  const twice = [wanted(), prepared(), fail(0), prepared(), fail(1), prepared()];
  expect(states(after(...twice).reviews)).toEqual(["asked"]);
  const { reviews, output } = after(...twice, fail(2));
  expect(states(reviews)).toEqual(["failed"]);
  expect(kinds(output)).toEqual(["post-comment", "release-candidates"]);
  expect(output.tells).toMatchObject([
    { to: "run:toy/3.1", event: { kind: "review-failed", head, times: 3, reason: "broke" } },
  ]);
  expect(kinds(after(...twice, fail(2), wanted()).output)).toEqual(["prepare-review"]);
});

test("documentation needs no reviewer where the configuration says so", () => {
  const role = testRole({ docs: "skip" });
  const { reviews, output } = after(wanted(17, { role }), prepared());
  expect(states(reviews)).toEqual(["posting"]);
  expect(output.effects).toMatchObject([{ effect: { kind: "post-review", verdict: "approve" } }]);
  const seen = prepared();
  if (seen.kind !== "review-prepared") throw new Error(seen.kind);
  const cut: Event = { ...seen, material: { ...seen.material, cut: true } };
  expect(states(after(wanted(17, { role }), cut).reviews)).toEqual(["asked"]);
});

test("a branch that conflicts goes back to its author before it is reviewed", () => {
  const event: Event = { kind: "review-conflicted", at: 0, pr: 17, head, files: ["a"] };
  const { reviews, output } = after(wanted(), event);
  expect(output.tells).toEqual([{ to: "run:toy/3.1", event }]);
  expect(states(reviews)).toEqual(["failed"]);
});

test("what cannot be read counts as an error, and what cannot be posted is put before a person", () => {
  const failed = (kind: "prepare-review" | "post-review"): Event =>
    ({
      kind: "effect-failed",
      at: 0,
      failed: { obligation: { effect: { kind, pr: 17, head } }, code: "x", message: "down" },
    }) as unknown as Event;
  expect(after(wanted(), failed("prepare-review")).reviews.prs[0]?.errors).toBe(1);
  const posting = [wanted(), prepared(), finished({ kind: "result", text: GOOD })];
  const { reviews, output } = after(...posting, failed("post-review"));
  expect(states(reviews)).toEqual(["failed"]);
  expect(tellKinds(output)).toEqual(["review-failed"]);
});

test("new commits stop a review but keep what was said before", () => {
  const gone: Event = { kind: "review-unwanted", at: 0, pr: 17, over: false };
  const { reviews, output } = after(wanted(), prepared(), gone);
  expect(states(reviews)).toEqual(["idle"]);
  expect(tellKinds(output)).toEqual(["task-withdrawn"]);
  expect(after(wanted(), { ...gone, over: true }).reviews.prs).toEqual([]);
});

test("a head that was reviewed is not reviewed again for the next attempt; one whose PR has ended is forgotten", () => {
  const said: Event = {
    kind: "review-posted",
    at: 0,
    pr: 17,
    review: {
      id: "1",
      author: "r",
      head,
      verdict: "approve",
      body: "",
      createdAt: 0,
      dismissed: false,
    },
  };
  const over: Event = { kind: "review-unwanted", at: 0, pr: 17, over: true };
  const posting = [wanted(), prepared(), finished({ kind: "result", text: GOOD })];
  const next = wanted(17, { run: runId("3.2") });
  for (const events of [
    [...posting, said, over, next],
    [...posting, over, next],
  ]) {
    const { reviews, output } = after(...events);
    expect(output.effects).toEqual([]);
    expect(reviews.prs).toMatchObject([{ run: "3.2", head }]);
  }
  // A verdict that was on its way reaches the run that waits by then.
  expect(after(...posting, over, next, said).output.tells).toMatchObject([
    { to: "run:toy/3.2", event: { kind: "reviews-observed" } },
  ]);
  expect(after(...posting, said, { ...over, gone: true }).reviews.prs).toEqual([]);
});

test("a person's PR is reviewed without a run that waits, and one that cannot be read is skipped silently", () => {
  const own = wanted(17, { run: undefined });
  const events = [own, prepared(), finished({ kind: "result", text: GOOD })];
  expect(kinds(after(...events).output)).toEqual(["post-review"]);
  const skipped: Event = { kind: "review-skipped", at: 0, pr: 17, head, why: "a fork" };
  const { reviews, output } = after(own, skipped);
  expect(states(reviews)).toEqual(["failed"]);
  expect([output.effects, output.tells]).toEqual([[], []]);
});
