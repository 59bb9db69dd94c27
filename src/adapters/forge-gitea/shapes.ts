// What Gitea and Forgejo answer, as far as Pawl reads it. Everything else in their answers is
// ignored, so that versions that say more are understood.
import * as z from "zod";

import { issueFields, prFields, reviewFields, time, user } from "../shared/forge/shapes.ts";

export const label = z.object({ id: z.number(), name: z.string() });

/** Paths name labels by id. */
const issueLabel = label.transform(({ id, name }) => ({ name, ref: String(id) }));

export const issue = z.object({
  ...issueFields,
  labels: z
    .array(issueLabel)
    .nullish()
    .transform((all) => all ?? []),
});

export const pr = z.object({ ...prFields, merged: z.boolean() });

/** One that is not known is an error: a verdict must not be overlooked. */
const REVIEW_STATES = ["APPROVED", "REQUEST_CHANGES", "COMMENT", "PENDING", "REQUEST_REVIEW", ""];

export const review = z.object({
  ...reviewFields,
  state: z.enum(REVIEW_STATES),
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
  permissions: z.object({ push: z.boolean(), admin: z.boolean().nullish() }).nullish(),
  allow_merge_commits: z.boolean().nullish(),
  allow_rebase: z.boolean().nullish(),
  allow_squash_merge: z.boolean().nullish(),
  /** Since Gitea 1.22 and Forgejo 7. */
  allow_fast_forward_only_merge: z.boolean().nullish(),
  has_issues: z.boolean().nullish(),
  has_pull_requests: z.boolean().nullish(),
  allow_manual_merge: z.boolean().nullish(),
  autodetect_manual_merge: z.boolean().nullish(),
});

export const branch = z.object({
  protected: z.boolean().nullish(),
  user_can_push: z.boolean().nullish(),
  user_can_merge: z.boolean().nullish(),
  /** Only for administrators of the repository. */
  effective_branch_protection_name: z.string().nullish(),
  enable_status_check: z.boolean().nullish(),
  status_check_contexts: z.array(z.string()).nullish(),
});

/** Of the many kinds of entries only what changes labels and state; "1" says that a label was added. */
export const timeline = z.array(
  z
    .object({
      type: z.string(),
      user,
      body: z.string().nullish(),
      label: z.object({ name: z.string() }).nullish(),
      created_at: time,
    })
    .nullable(),
);

export const protection = z.object({ block_on_outdated_branch: z.boolean().nullish() });

export type RawReview = z.output<typeof review>;
export type RawStatus = z.output<typeof status>;
export type RawRepo = z.output<typeof repo>;
