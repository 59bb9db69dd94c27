// Formal reviews of a Gitea repository. A review by an account without write access is an opinion,
// not a verdict, and is left out. Gitea marks the latest review of an account with write access as
// official, and unmarks the earlier ones.
import type { ReviewVerdict } from "../../core/review.ts";
import type { Connection } from "../shared/forge/connection.ts";
import type { Formal } from "../shared/forge/reviews.ts";
import { formalReview, markedVerdict } from "../shared/forge/shown-review.ts";
import { anything } from "../shared/forge/shapes.ts";
import * as shape from "./shapes.ts";

const VERDICTS: Record<string, ReviewVerdict> = {
  APPROVED: "approve",
  REQUEST_CHANGES: "request-changes",
};

export function formalReviews(connection: Connection): Formal<shape.RawReview> {
  const authorOf = (raw: shape.RawReview): string =>
    raw.user?.login ?? connection.dialect.unknownAuthor;
  return {
    schema: shape.review,
    events: {
      approve: "APPROVED",
      "request-changes": "REQUEST_CHANGES",
      discuss: "REQUEST_CHANGES",
    },
    async counted(all) {
      const trusted = new Set(all.filter((raw) => raw.official === true).map(authorOf));
      if (connection.hasReviewer) trusted.add(await connection.login("review"));
      return all.filter((raw) => trusted.has(authorOf(raw)));
    },
    shown(raw, isOurs) {
      const verdict = VERDICTS[raw.state];
      if (verdict === undefined) return [];
      const told = {
        verdict: isOurs && markedVerdict(raw) === "discuss" ? ("discuss" as const) : verdict,
        createdAt: raw.submitted_at,
        dismissed: raw.dismissed === true,
      };
      return [formalReview(connection, raw, told)];
    },
    isDismissed: (raw) => raw.dismissed === true,
    async dismissal(raw, { pr, id, why }) {
      const isOwn = connection.hasReviewer && authorOf(raw) === (await connection.login("review"));
      return {
        what: `dismiss review ${id} of PR #${pr} (which needs an administrator of the repository)`,
        method: "POST",
        path: connection.at(`/pulls/${pr}/reviews/${id}/dismissals`),
        body: { message: why, priors: false },
        schema: anything,
        repeatable: true,
        // Who may only write cannot dismiss; but the next review of the same account does, by itself.
        accept: isOwn ? [403] : [],
      };
    },
  };
}
