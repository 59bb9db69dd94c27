// A review as Pawl shows it: from a formal one of the forge, or from a comment that carries the mark
// of a review. Sends nothing.
import { commitId } from "../../../core/ids.ts";
import type { ReviewVerdict } from "../../../core/review.ts";
import type { Review } from "../../../ports/forge.ts";
import { isDismissed, reviewedIn, withoutMarks } from "./marks.ts";
import type { Connection } from "./connection.ts";
import type { RawComment, RawReview } from "./shapes.ts";

/** Before the id of a review that is a comment. */
export const BY_COMMENT = "comment-";

/** The verdict that the mark of a review tells. */
export function markedVerdict(raw: {
  body?: string | null | undefined;
}): ReviewVerdict | undefined {
  const verdict = reviewedIn(raw.body ?? "")?.verdict;
  return isVerdict(verdict) ? verdict : undefined;
}

const isVerdict = (word: string | undefined): word is ReviewVerdict =>
  word === "approve" || word === "request-changes" || word === "discuss";

export const formalReview = (
  { dialect }: Connection,
  raw: RawReview,
  told: { verdict: ReviewVerdict; createdAt: number; dismissed: boolean },
): Review => ({
  id: String(raw.id),
  author: raw.user?.login ?? dialect.unknownAuthor,
  head: commitId(raw.commit_id ?? ""),
  body: withoutMarks(raw.body ?? ""),
  ...told,
});

/** None where the comment is no review. */
export function reviewByComment({ dialect }: Connection, raw: RawComment): Review[] {
  const body = raw.body ?? "";
  const verdict = markedVerdict(raw);
  if (verdict === undefined) return [];
  return [
    {
      id: `${BY_COMMENT}${raw.id}`,
      author: raw.user?.login ?? dialect.unknownAuthor,
      head: commitId(reviewedIn(body)?.head ?? ""),
      verdict,
      body: withoutMarks(body),
      createdAt: raw.created_at,
      dismissed: isDismissed(body),
    },
  ];
}
