// What GitHub's REST API answers, as far as Pawl reads it. Everything else is ignored.
import * as z from "zod";

const user = z.object({ login: z.string() }).nullish();
const time = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text));
/** Labels of an issue may be plain names. */
const label = z
  .union([z.string(), z.object({ name: z.string() })])
  .transform((one) => (typeof one === "string" ? one : one.name));

export const named = z.object({ name: z.string() });

export const issue = z.object({
  number: z.number(),
  title: z.string(),
  body: z.string().nullish(),
  state: z.enum(["open", "closed"]),
  labels: z.array(label),
  user,
  assignees: z.array(z.object({ login: z.string() })).nullish(),
  created_at: time,
  updated_at: time,
  html_url: z.string().nullish(),
  /** PRs are issues too; this tells them apart. */
  pull_request: z.unknown().optional(),
});

export const comment = z.object({
  id: z.number(),
  body: z.string().nullish(),
  user,
  created_at: time,
});

const side = z.object({ ref: z.string(), sha: z.string() });

export const pr = z.object({
  number: z.number(),
  title: z.string(),
  body: z.string().nullish(),
  state: z.enum(["open", "closed"]),
  /** Lists have no `merged`, but they have its time. */
  merged_at: z.string().nullish(),
  merge_commit_sha: z.string().nullish(),
  head: side,
  base: side,
  created_at: time,
  updated_at: time,
});

export const review = z.object({
  id: z.number(),
  user,
  state: z.string(),
  body: z.string().nullish(),
  commit_id: z.string().nullish(),
  author_association: z.string().nullish(),
  /** A review that is being written has none. */
  submitted_at: time.nullish(),
});

export const status = z.object({
  context: z.string(),
  state: z.enum(["error", "failure", "pending", "success"]),
  description: z.string().nullish(),
  target_url: z.string().nullish(),
});

export const combined = z.object({ statuses: z.array(status) });

const checkRun = z.object({
  id: z.number(),
  name: z.string(),
  status: z.string(),
  conclusion: z.string().nullish(),
  details_url: z.string().nullish(),
  output: z.object({ title: z.string().nullish() }).nullish(),
});

export const checkRuns = z.object({ check_runs: z.array(checkRun) });

export const branch = z.object({
  protection: z
    .object({ required_status_checks: z.object({ contexts: z.array(z.string()) }).nullish() })
    .nullish(),
});

export const rules = z.array(
  z.object({
    type: z.string(),
    parameters: z
      .object({ required_status_checks: z.array(z.object({ context: z.string() })).optional() })
      .nullish(),
  }),
);

export const account = z.object({ login: z.string() });
export const anything = z.unknown();

export type RawIssue = z.output<typeof issue>;
export type RawComment = z.output<typeof comment>;
export type RawPr = z.output<typeof pr>;
export type RawReview = z.output<typeof review>;
export type RawStatus = z.output<typeof status>;
export type RawCheckRun = z.output<typeof checkRun>;
