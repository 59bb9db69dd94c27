// The verdict of a review, and which reviews count for a head.
import type { Commit } from "./ids.ts";

export type ReviewVerdict = "approve" | "request-changes" | "discuss";

export type ReviewFacts = {
  id: string;
  author: string;
  head: Commit;
  verdict: ReviewVerdict;
  body: string;
  createdAt: number;
  dismissed: boolean;
  /** Given by Pawl's own review role. */
  own?: true;
};

/** The latest review that is about this head and was not dismissed. */
export function reviewOf(reviews: ReviewFacts[], head: Commit): ReviewFacts | undefined {
  const counting = reviews.filter((review) => review.head === head && !review.dismissed);
  return counting.toSorted((a, b) => a.createdAt - b.createdAt || a.id.localeCompare(b.id)).at(-1);
}
