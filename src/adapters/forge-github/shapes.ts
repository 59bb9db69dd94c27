// What GitHub's REST API answers, as far as Pawl reads it. Everything else is ignored.
import * as z from "zod";

import { issueFields, prFields, reviewFields, time, user } from "../shared/forge/shapes.ts";

/** Labels of an issue may be plain names; paths name them so too. */
const label = z
  .union([z.string(), z.object({ name: z.string() })])
  .transform((one) => (typeof one === "string" ? one : one.name))
  .transform((name) => ({ name, ref: encodeURIComponent(name) }));

export const named = z.object({ name: z.string() });

export const issue = z.object({ ...issueFields, labels: z.array(label) });

/** Lists have no `merged`, but they have its time. */
export const pr = z
  .object({ ...prFields, merged_at: z.string().nullish() })
  .transform(({ merged_at, ...rest }) => ({
    ...rest,
    merged: merged_at !== undefined && merged_at !== null,
  }));

/** One that is not known is an error: a verdict must not be overlooked. */
const REVIEW_STATES = ["APPROVED", "CHANGES_REQUESTED", "COMMENTED", "DISMISSED", "PENDING"];

export const review = z.object({
  ...reviewFields,
  state: z.enum(REVIEW_STATES),
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

const checkSuite = z.object({
  status: z.string().nullish(),
  latest_check_runs_count: z.number().nullish(),
  app: z.object({ slug: z.string().nullish(), name: z.string().nullish() }).nullish(),
});

export const checkSuites = z.object({ check_suites: z.array(checkSuite) });

export const branch = z.object({
  protected: z.boolean().nullish(),
  protection: z
    .object({ required_status_checks: z.object({ contexts: z.array(z.string()) }).nullish() })
    .nullish(),
});

export const rules = z.array(
  z.object({
    type: z.string(),
    parameters: z
      .object({
        strict_required_status_checks_policy: z.boolean().optional(),
        required_status_checks: z.array(z.object({ context: z.string() })).optional(),
      })
      .nullish(),
  }),
);

/** Events of other kinds have other fields; those without a time are of no interest here. */
export const timeline = z.array(
  z.object({
    event: z.string().nullish(),
    actor: user,
    label: named.nullish(),
    created_at: time.nullish(),
  }),
);

export const permission = z.object({ permission: z.string() });

export const merged = z.object({ sha: z.string() });

/** Only for administrators. */
export const requiredChecks = z.object({ strict: z.boolean().nullish() });

/** The ways to merge are shown only to who may push. */
export const repo = z.object({
  full_name: z.string(),
  permissions: z.object({ push: z.boolean() }).nullish(),
  has_issues: z.boolean().nullish(),
  archived: z.boolean().nullish(),
  allow_merge_commit: z.boolean().nullish(),
  allow_rebase_merge: z.boolean().nullish(),
  allow_squash_merge: z.boolean().nullish(),
});

export type RawReview = z.output<typeof review>;
export type RawStatus = z.output<typeof status>;
export type RawCheckRun = z.output<typeof checkRun>;
