// Issues as they are asked for and told: the requests of the CLI and the answers of the daemon.
import { z } from "zod";

const TITLE_MAX = 1000;
/** Enough for any specification; far less than what would slow the journal down. */
const BODY_MAX = 1_000_000;

const title = z
  .string()
  .trim()
  .min(1, "an issue needs a title")
  .max(TITLE_MAX, `a title has at most ${TITLE_MAX} characters`);
const body = z
  .string()
  .max(
    BODY_MAX,
    `it has at most ${BODY_MAX} characters; put the rest into a file of the repository`,
  );
const label = z
  .string()
  .trim()
  .min(1, "a label is not empty")
  .max(100, "a label has at most 100 characters")
  .regex(/^[^,\p{Control}]*$/u, "a label has no commas and no control characters");
const labels = z.array(label).max(50, "an issue has at most 50 labels");
const number = z.number().int().positive();

export const newIssueSchema = z.strictObject({
  title,
  body: body.default(""),
  labels: labels.default(["backlog"]),
  dependsOn: z.array(number).max(100).default([]),
  /** The same key again makes nothing twice. */
  key: z.string().min(1).max(200),
  author: z.string().default("operator"),
});

export type NewIssueRequest = z.input<typeof newIssueSchema>;

export const issueChangeSchema = z.strictObject({
  title: title.optional(),
  body: body.optional(),
  state: z.enum(["open", "closed"]).optional(),
  addLabels: labels.optional(),
  removeLabels: labels.optional(),
});

export type IssueChangeRequest = z.input<typeof issueChangeSchema>;

export const newCommentSchema = z.strictObject({
  body: body.refine((text) => text.trim() !== "", "a comment cannot be empty"),
  author: z.string(),
  key: z.string().min(1).max(200),
});

export const issueQuerySchema = z.object({
  state: z.enum(["open", "closed", "all"]).default("open"),
  label: z.string().optional(),
});

export const issueSchema = z.object({
  number: z.number(),
  title: z.string(),
  state: z.enum(["open", "closed"]),
  labels: z.array(z.string()),
  body: z.string(),
  author: z.string(),
  depends_on: z.array(z.number()),
  created_at: z.string(),
  updated_at: z.string(),
  url: z.string().nullable(),
});

export type IssueView = z.infer<typeof issueSchema>;

export const commentSchema = z.object({
  author: z.string(),
  body: z.string(),
  created_at: z.string(),
});

/** What it said until then; a forge of its own shows that to people itself. */
const editSchema = z.object({ title: z.string(), body: z.string(), edited_at: z.string() });

export const issueWithCommentsSchema = issueSchema.extend({
  comments: z.array(commentSchema),
  edits: z.array(editSchema).default([]),
});

export type IssueWithCommentsView = z.infer<typeof issueWithCommentsSchema>;

export const dependenciesSchema = z.object({
  /** Every open issue, and every issue that one of them depends on. */
  issues: z.array(
    z.object({
      number: z.number(),
      title: z.string(),
      /** `missing`: an issue depends on a number that does not exist. */
      state: z.enum(["open", "closed", "missing"]),
      depends_on: z.array(z.number()),
    }),
  ),
  /** Open issues that wait for each other in a ring. */
  cycles: z.array(z.array(z.number())),
});

export type DependenciesView = z.infer<typeof dependenciesSchema>;
