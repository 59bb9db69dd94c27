// Formal reviews on GitHub. Those of people who do not belong to the repository are opinions, not
// verdicts: they are left out.
import type { ReviewVerdict } from "../../core/review.ts";
import type { Connection } from "../shared/forge/connection.ts";
import type { Formal } from "../shared/forge/reviews.ts";
import { formalReview, markedVerdict } from "../shared/forge/shown-review.ts";
import { anything } from "../shared/forge/shapes.ts";
import * as shape from "./shapes.ts";

const TRUSTED: ReadonlySet<string> = new Set(["OWNER", "MEMBER", "COLLABORATOR"]);
const VERDICTS: Record<string, ReviewVerdict> = {
  APPROVED: "approve",
  CHANGES_REQUESTED: "request-changes",
  // What it was is gone with its state; dismissed, it counts for nothing.
  DISMISSED: "request-changes",
};

const isDismissed = (raw: shape.RawReview): boolean => raw.state === "DISMISSED";

export const formalReviews = (connection: Connection): Formal<shape.RawReview> => ({
  schema: shape.review,
  events: { approve: "APPROVE", "request-changes": "REQUEST_CHANGES", discuss: "REQUEST_CHANGES" },
  counted: async (all) => all,
  shown(raw) {
    const verdict = VERDICTS[raw.state];
    const isTrusted = TRUSTED.has(raw.author_association ?? "");
    const createdAt = raw.submitted_at;
    if (verdict === undefined || !isTrusted || typeof createdAt !== "number") return [];
    const dismissed = isDismissed(raw);
    const marked = markedVerdict(raw);
    // The mark tells what GitHub's states cannot: a discussion, and what a dismissed one was.
    const isTold = marked !== undefined && (dismissed || marked === "discuss");
    const told = { verdict: isTold ? marked : verdict, createdAt, dismissed };
    return [formalReview(connection, raw, told)];
  },
  isDismissed,
  dismissal: async (_raw, { pr, id, why }) => ({
    what: `dismiss review ${id} of PR #${pr}`,
    method: "PUT",
    path: connection.at(`/pulls/${pr}/reviews/${id}/dismissals`),
    body: { message: why, event: "DISMISS" },
    schema: anything,
  }),
});
