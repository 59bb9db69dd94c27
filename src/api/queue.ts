// The merge queue as the daemon tells it: the field names that scripts read.
import { z } from "zod";

const evidenceSchema = z.object({
  at: z.string(),
  kind: z.string(),
  result: z.string(),
  entries: z.array(z.number()),
});

export const entrySchema = z.looseObject({
  id: z.number(),
  /** From 1 in landing order; null for what has left the queue. */
  position: z.number().nullable(),
  identity_name: z.string().nullable(),
  branch: z.string(),
  worktree_path: z.string().nullable(),
  pr_number: z.number().nullable(),
  bead_id: z.string().nullable(),
  node_id: z.string().nullable(),
  requested_at: z.string(),
  status: z.string(),
  head: z.string(),
  priority: z.number(),
  attempts: z.number(),
  after: z.array(z.string()),
  /** Why it waits, or why it left. */
  reason: z.string().nullable(),
  conflict_files: z.array(z.string()),
  changes_policy: z.boolean(),
  protected_files: z.array(z.string()).default([]),
  approved_by: z.string().nullable(),
  /** The program that resolved its conflicts with what is below it, and the files. */
  resolved_by: z.string().nullable().default(null),
  resolved_files: z.array(z.string()).default([]),
  left_at: z.string().nullable(),
  merged_as: z.string().nullable(),
  /** Where its branch was removed after it landed: "upstream" or "checkout". */
  branch_removed: z.string().nullable().default(null),
  /** What its author does next, where a person's branch was sent back. */
  next_step: z.string().nullable().default(null),
  evidence: z.array(evidenceSchema),
});

export type EntryView = z.infer<typeof entrySchema>;

const pictureSchema = z.object({
  /** From the target upwards. */
  stack: z.array(
    z.object({
      entry: z.number(),
      verdict: z.enum(["green", "red"]).nullable(),
      testing_since: z.string().nullable(),
    }),
  ),
  building: z.array(z.number()),
  landing: z.array(z.number()),
  /** Pairs of entries that cannot stand on each other. */
  conflicts: z.array(z.object({ entries: z.array(z.number()), files: z.array(z.string()) })),
  /** The newest first; no entries: the bare target. */
  proven: z.array(
    z.object({
      at: z.string(),
      entries: z.array(z.number()),
      result: z.enum(["passed", "failed", "infra"]),
      flaky: z.boolean(),
      remembered: z.boolean(),
      detail: z.string().nullable(),
      took_seconds: z.number().nullable(),
    }),
  ),
  typical_test_seconds: z.number().nullable(),
  /** From entering the queue to landing. */
  typical_queue_seconds: z.number().nullable(),
});

export const queueSchema = z.looseObject({
  project: z.string(),
  state: z.enum(["idle", "working", "paused", "stopped", "waiting"]),
  why: z.string().nullable(),
  hint: z.string().nullable(),
  queued: z.number(),
  testing: z.number(),
  landing: z.number(),
  target: z.string().nullable(),
  target_proof: z.string().nullable(),
  failure_rate: z.number(),
  step: z.number().nullable(),
  lanes: z.number().nullable(),
  /** The CI infrastructure failed; the queue tries again at this time. */
  retry_at: z.string().nullable(),
  /** By a person, or by itself: either way a person resumes it. */
  paused: z.looseObject({ by: z.string(), why: z.string() }).nullable(),
  entries: z.array(entrySchema),
  /** What stands on what, and how long things usually take. */
  picture: pictureSchema.optional(),
  /** Entries that landed and whose branch is about to be removed, where a daemon works. */
  removing: z.array(z.number()).optional(),
  /** The latest last. */
  past: z.array(entrySchema.extend({ left_at: z.string() })),
});

export type QueueView = z.infer<typeof queueSchema>;

/** The queue after a resume, with the commits past it that this acknowledged. */
export type ResumedView = QueueView & { acknowledged?: string[] };

export const explainSchema = z.array(
  z.object({ kind: z.string(), text: z.string(), at: z.string().nullable() }),
);

export type ExplainView = z.infer<typeof explainSchema>;

const BRANCHES_MAX = 500;
const branchSchema = z.string().min(1).max(200);

/** All of them are queued, in this order, or none is; those that have landed already are left out. */
export const newEntriesSchema = z.object({
  branches: z.array(branchSchema).min(1).max(BRANCHES_MAX),
  priority: z.int().min(-100).max(100).default(0),
  /** Branches that must land first. */
  after: z.array(branchSchema).max(50).default([]),
});

/** What a person does with one entry. */
export const entryWishSchema = z.object({ entry: z.number(), by: z.string() });

export const entryPrioritySchema = entryWishSchema.extend({
  priority: z.int().min(-100).max(100),
});

/** Added branches: where each was found, and how it stands. */
export const addedEntriesSchema = z.object({
  added: z.array(z.object({ entry: entrySchema, from: z.enum(["upstream", "checkout"]) })),
  /** Of each branch that has landed already: why it was not queued. */
  refused: z.array(z.string()).optional(),
});

export type AddedEntries = z.infer<typeof addedEntriesSchema>;
