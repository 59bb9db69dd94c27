// Facts about the review role of a project.
import type { Commit } from "../ids.ts";
import type { ReviewFacts } from "../review.ts";
import type { ReviewMaterial, WantedReview } from "./reviews.ts";

export type ReviewEvent =
  /** A run's branch is green, and waits for a review. */
  | { kind: "review-wanted"; at: number; wanted: WantedReview }
  /** It has new commits; or, `over`, its run has ended; `gone`: and so has the PR. */
  | { kind: "review-unwanted"; at: number; pr: number; over: boolean; gone?: true }
  | {
      kind: "review-prepared";
      at: number;
      pr: number;
      head: Commit;
      /** The merged result. */
      commit: Commit;
      material: ReviewMaterial;
    }
  | ReviewConflicted
  /** Its branch is not where it could be read. */
  | { kind: "review-skipped"; at: number; pr: number; head: Commit; why: string }
  | { kind: "review-posted"; at: number; pr: number; review: ReviewFacts };

/** Told to the review role, and by it to the run. */
export type ReviewConflicted = {
  kind: "review-conflicted";
  at: number;
  pr: number;
  head: Commit;
  files: string[];
};
