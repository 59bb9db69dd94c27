// The review role of a project: which PRs want a review, which is being reviewed, what was said.
// This file owns the state; step-reviews.ts changes it.
//
//   waiting ─> preparing ─> asked ─> posting ─> reviewed
//      ^           └──────────┴─ error, twice      (a new head starts over)
//      └───────────────────────────┘    └─ the third: failed, and a person is asked
//
// waiting:   no place is free, `[review] parallel`.
// preparing: the merged result is built, and the difference read.
// asked:     a task of the review role is under way.
// idle:      its run has new commits, and will ask again.
// posting:   the verdict is valid and goes to the forge.
import type { ReviewRole } from "../config.ts";
import type { Commit, ProjectName, RunId } from "../ids.ts";
import type { ReviewVerdict } from "../review.ts";

/** What a run wants reviewed: its branch is green. */
export type WantedReview = {
  pr: number;
  head: Commit;
  branch: string;
  title: string;
  issue: number | undefined;
  /** Who is told the verdict; undefined for the PR of a person. */
  run: RunId | undefined;
  target: string;
  role: ReviewRole;
};

export type GivenReview = { head: Commit; verdict: ReviewVerdict; body: string };

export type PrReview = WantedReview & {
  state:
    | { kind: "waiting" | "preparing" | "failed" | "idle" }
    | { kind: "asked"; key: string }
    | { kind: "posting"; given: GivenReview }
    | { kind: "reviewed" };
  /** Of this head. */
  errors: number;
  /** The latest review of an earlier head, or of this one. */
  last: GivenReview | undefined;
};

export type Reviews = {
  kind: "reviews";
  project: ProjectName;
  prs: PrReview[];
  /** How many tasks were asked for: no two have the same key. */
  asked: number;
};

/** What was read of a PR, so that a reviewer need not fetch anything. */
export type ReviewMaterial = {
  issue: { number: number; title: string; body: string; author: string } | undefined;
  /** What landing it would change. */
  diff: string;
  files: string[];
  /** There are more files than those. */
  cut?: true;
  /** What changed since the last review, and what was said about it. */
  since: { log: string; diff: string } | undefined;
  comments: { author: string; body: string }[];
};

/** A reviewer is at work on it. */
export const isUnderWay = ({ state }: PrReview): boolean =>
  state.kind === "preparing" || state.kind === "asked";
