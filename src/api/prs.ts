// PRs and their reviews, as they are asked for and told.
import { z } from "zod";
import { checkSchema } from "./checks.ts";

const VERDICTS = ["approve", "request-changes", "discuss"] as const;

export const newReviewSchema = z
  .strictObject({
    verdict: z.enum(VERDICTS),
    body: z.string().max(1_000_000),
    author: z.string(),
    key: z.string().min(1).max(200),
  })
  .refine((review) => review.verdict === "approve" || review.body.trim() !== "", {
    path: ["body"],
    message: "it says what to change: the author reads nothing else",
  });

export type NewReviewRequest = z.input<typeof newReviewSchema>;

export const prQuerySchema = z.object({ state: z.enum(["open", "all"]).default("open") });

export const prSchema = z.object({
  number: z.number(),
  title: z.string(),
  branch: z.string(),
  head: z.string(),
  target: z.string(),
  issue: z.number().nullable(),
  state: z.enum(["open", "merged", "closed"]),
  merged_as: z.string().nullable(),
  /** What CI said of the PR's run last. */
  ci: checkSchema.shape.state,
  created_at: z.string(),
  updated_at: z.string(),
});

export type PrView = z.infer<typeof prSchema>;

export const prWithReviewsSchema = prSchema.extend({
  body: z.string(),
  check: checkSchema.nullable(),
  reviews: z.array(
    z.object({
      author: z.string(),
      verdict: z.enum(VERDICTS),
      head: z.string(),
      body: z.string(),
      dismissed: z.boolean(),
      created_at: z.string(),
    }),
  ),
});

export type PrWithReviewsView = z.infer<typeof prWithReviewsSchema>;
