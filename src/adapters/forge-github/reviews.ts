// Formal reviews on GitHub. A review by an account without write access is an opinion, not a
// verdict, and is left out. Members and collaborators may have read access only, so each is looked
// up; all others cannot have write access.
import type { ReviewVerdict } from "../../core/review.ts";
import type { Connection } from "../shared/forge/connection.ts";
import type { Formal } from "../shared/forge/reviews.ts";
import { formalReview, markedVerdict } from "../shared/forge/shown-review.ts";
import { anything } from "../shared/forge/shapes.ts";
import * as shape from "./shapes.ts";

const MAY_WRITE: ReadonlySet<string> = new Set(["OWNER", "MEMBER", "COLLABORATOR"]);
const VERDICTS: Record<string, ReviewVerdict> = {
  APPROVED: "approve",
  CHANGES_REQUESTED: "request-changes",
  // What it was is gone with its state; dismissed, it counts for nothing.
  DISMISSED: "request-changes",
};

const isDismissed = (raw: shape.RawReview): boolean => raw.state === "DISMISSED";

async function isCounted(connection: Connection, raw: shape.RawReview): Promise<boolean> {
  if (VERDICTS[raw.state] === undefined) return false;
  if (await connection.isOurs(raw)) return true;
  if (!MAY_WRITE.has(raw.author_association ?? "") || !raw.user) return false;
  return connection.mayWrite(raw.user.login);
}

export const formalReviews = (connection: Connection): Formal<shape.RawReview> => ({
  schema: shape.review,
  events: { approve: "APPROVE", "request-changes": "REQUEST_CHANGES", discuss: "REQUEST_CHANGES" },
  async counted(all) {
    const counted: shape.RawReview[] = [];
    for (const raw of all) if (await isCounted(connection, raw)) counted.push(raw);
    return counted;
  },
  shown(raw, isOurs) {
    const verdict = VERDICTS[raw.state];
    const createdAt = raw.submitted_at;
    if (verdict === undefined || typeof createdAt !== "number") return [];
    const dismissed = isDismissed(raw);
    const marked = isOurs ? markedVerdict(raw) : undefined;
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
