// What Gitea and Forgejo answer, as far as Pawl reads it. Everything else in their answers is
// ignored, so that versions that say more are understood.
import * as z from "zod";

const user = z.object({ login: z.string() }).nullish();
const time = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text));

export const label = z.object({ id: z.number(), name: z.string() });

export const issue = z.object({
  number: z.number(),
  title: z.string(),
  body: z.string().nullish(),
  state: z.enum(["open", "closed"]),
  labels: z.array(label).nullish(),
  user,
  assignees: z.array(z.object({ login: z.string() })).nullish(),
  created_at: time,
  updated_at: time,
  html_url: z.string().nullish(),
  pull_request: z.unknown(),
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
  merged: z.boolean(),
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
  official: z.boolean().nullish(),
  dismissed: z.boolean().nullish(),
  submitted_at: time,
});

export const status = z.object({
  id: z.number(),
  context: z.string(),
  status: z.enum(["pending", "success", "error", "failure", "warning", "skipped"]),
  description: z.string().nullish(),
  target_url: z.string().nullish(),
});

export const repo = z.object({
  full_name: z.string(),
  permissions: z.object({ push: z.boolean() }).nullish(),
  has_issues: z.boolean().nullish(),
  has_pull_requests: z.boolean().nullish(),
  allow_manual_merge: z.boolean().nullish(),
  autodetect_manual_merge: z.boolean().nullish(),
});

export const branch = z.object({
  protected: z.boolean().nullish(),
  user_can_push: z.boolean().nullish(),
  enable_status_check: z.boolean().nullish(),
  status_check_contexts: z.array(z.string()).nullish(),
});

export const account = z.object({ login: z.string() });
export const anything = z.unknown();

export type RawIssue = z.output<typeof issue>;
export type RawComment = z.output<typeof comment>;
export type RawPr = z.output<typeof pr>;
export type RawReview = z.output<typeof review>;
export type RawStatus = z.output<typeof status>;
