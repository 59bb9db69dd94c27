// Reviews of a PR. With a second account they are formal reviews; without one, comments with the
// mark `<!-- reviewed: SHA verdict -->`, because a forge lets no account approve its own PR. The
// adapter decides which formal reviews are verdicts and what their states mean.
import * as z from "zod";
import type { ReviewVerdict } from "../../../core/review.ts";
import type { Forge, Review } from "../../../ports/forge.ts";
import { isDismissed, DISMISSED_MARK, keyMark, reviewedMark, withMarks } from "./marks.ts";
import type { HttpRequest } from "../http-client.ts";
import { commentsOfOurs, ofOurs, postOnce } from "./comments.ts";
import type { Connection } from "./connection.ts";
import { existingPr } from "./prs.ts";
import { notFound } from "./raw-issue.ts";
import { anything, type RawReview } from "./shapes.ts";
import { BY_COMMENT, reviewByComment } from "./shown-review.ts";

type Input = Parameters<Forge["review"]>[0];
type Dismissal = Parameters<Forge["dismissReview"]>[0];

/** The formal reviews of one forge. */
export type Formal<R extends RawReview> = {
  schema: z.ZodType<R>;
  /** What each verdict is called when a review is given. */
  events: Record<ReviewVerdict, string>;
  /** Those whose authors may write, and those of our own reviewer. */
  counted(all: R[]): Promise<R[]>;
  /** None where its state is no verdict. Marks are read only in what is ours. */
  shown(raw: R, isOurs: boolean): Review[];
  isDismissed(raw: R): boolean;
  dismissal(raw: R, input: Dismissal): Promise<HttpRequest<unknown>>;
};

export type Reviews = Pick<Forge, "reviews" | "review" | "dismissReview">;

export function createReviews<R extends RawReview>(
  connection: Connection,
  formal: Formal<R>,
): Reviews {
  return {
    reviews: (pr) => listReviews(connection, formal, pr),
    review: (input) => addReview(connection, formal, input),
    dismissReview: (input) => dismissReview(connection, formal, input),
  };
}

async function listReviews<R extends RawReview>(
  connection: Connection,
  formal: Formal<R>,
  pr: number,
): Promise<Review[]> {
  const given: Review[] = [];
  for (const raw of await formal.counted(await rawReviews(connection, formal, pr))) {
    given.push(...formal.shown(raw, await connection.isOurs(raw)));
  }
  if (connection.hasReviewer) return given;
  const comments = await commentsOfOurs(connection, pr);
  const marked = comments.flatMap((raw) => reviewByComment(connection, raw));
  return [...given, ...marked].toSorted((a, b) => a.createdAt - b.createdAt);
}

async function rawReviews<R extends RawReview>(
  connection: Connection,
  { schema }: Formal<R>,
  pr: number,
): Promise<R[]> {
  const all = await connection.read.list({
    what: `read the reviews of PR #${pr}`,
    path: connection.at(`/pulls/${pr}/reviews`),
    query: connection.dialect.page,
    schema: z.array(schema),
  });
  return all.toSorted((a, b) => a.id - b.id);
}

async function addReview<R extends RawReview>(
  connection: Connection,
  formal: Formal<R>,
  input: Input,
): Promise<Review> {
  await existingPr(connection, input.pr);
  const { pr, head, verdict, key } = input;
  const mark = keyMark(await connection.key(key));
  const body = withMarks(input.body, reviewedMark(head, verdict), mark);
  return connection.serial(`review ${pr} ${key}`, async () => {
    const [review] = connection.hasReviewer
      ? formal.shown(await formalOnce(connection, formal, { ...input, body, mark }), true)
      : reviewByComment(connection, await postOnce(connection, { issue: pr, body, mark }));
    if (review === undefined) {
      throw notFound(connection, `the review of PR #${pr} that was just given`);
    }
    return review;
  });
}

async function formalOnce<R extends RawReview>(
  connection: Connection,
  formal: Formal<R>,
  input: Input & { mark: string },
): Promise<R> {
  const { pr, head, verdict, body, mark } = input;
  const marked = (await rawReviews(connection, formal, pr)).filter((raw) =>
    raw.body?.includes(mark),
  );
  const [made] = await ofOurs(connection, marked);
  if (made !== undefined) return made;
  const request = {
    what: `review PR #${pr}`,
    method: "POST" as const,
    path: connection.at(`/pulls/${pr}/reviews`),
    body: { event: formal.events[verdict], body, commit_id: head },
    schema: formal.schema,
  };
  const answer = await connection.change(request, "review");
  if (answer.kind !== "ok") throw notFound(connection, `PR #${pr}`);
  return answer.body;
}

async function dismissReview<R extends RawReview>(
  connection: Connection,
  formal: Formal<R>,
  input: Dismissal,
): Promise<void> {
  const { pr, id } = input;
  if (id.startsWith(BY_COMMENT)) return dismissComment(connection, input);
  const all = await rawReviews(connection, formal, pr);
  const found = all.find((raw) => String(raw.id) === id);
  if (found === undefined) throw notFound(connection, `review ${id} of PR #${pr}`);
  if (formal.isDismissed(found)) return;
  await connection.change(await formal.dismissal(found, input));
}

async function dismissComment(connection: Connection, { pr, id }: Dismissal): Promise<void> {
  const comments = await commentsOfOurs(connection, pr);
  const found = comments.find((raw) => `${BY_COMMENT}${raw.id}` === id);
  if (found === undefined) throw notFound(connection, `review ${id} of PR #${pr}`);
  if (isDismissed(found.body ?? "")) return;
  await connection.change({
    what: `dismiss review ${id} of PR #${pr}`,
    method: "PATCH",
    path: connection.at(`/issues/comments/${found.id}`),
    body: { body: `${found.body ?? ""}\n\n${DISMISSED_MARK}` },
    schema: anything,
    repeatable: true,
  });
}
