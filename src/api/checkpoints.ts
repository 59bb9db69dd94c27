// Checkpoints of an identity, what one holds, and what a recovery brought back.
import { z } from "zod";

export const checkpointSchema = z.object({
  identity: z.string(),
  number: z.number(),
  commit: z.string(),
  at: z.string(),
  reason: z.string(),
  /** Paths that differ from the checkpoint before; for the first one, from the run's base. */
  files: z.number(),
  /** How many paths could not be saved; `show` names them. */
  skipped_count: z.number(),
});

export type CheckpointView = z.infer<typeof checkpointSchema>;

export const checkpointContentSchema = checkpointSchema.extend({
  head: z.string().nullable(),
  branch: z.string().nullable(),
  changes: z.array(z.object({ status: z.enum(["A", "M", "D"]), path: z.string() })),
  /** Paths that could not be saved: unreadable, too large, or neither file nor link. */
  skipped: z.array(z.string()),
  /** Those of which it holds a copy of an earlier moment; restored as `{path}.partial`. */
  partial: z.array(z.string()),
  nested: z.array(z.object({ path: z.string(), commit: z.string() })),
});

export type CheckpointContentView = z.infer<typeof checkpointContentSchema>;

export const restoreSchema = z.strictObject({
  by: z.string(),
  /** An absolute folder; without it one of Pawl's own. */
  to: z.string().startsWith("/").optional(),
  /** Into the workspace itself, while no agent works there. */
  into_workspace: z.boolean().default(false),
});

export const restoredSchema = z.object({
  identity: z.string(),
  number: z.number(),
  path: z.string(),
  /** Paths that the checkpoint does not hold, because they could not be saved. */
  skipped: z.array(z.string()),
  partial: z.array(z.string()),
});

export type RestoredView = z.infer<typeof restoredSchema>;

export const recoverSchema = z.strictObject({ from: z.string().min(1) });

export const recoveredSchema = z.object({
  identity: z.string(),
  branch: z.string().nullable(),
  commit: z.string(),
  at: z.string(),
  /** `fetched`; `current`: it was here already; `kept`: this machine has its own, left alone. */
  kind: z.enum(["fetched", "current", "kept"]),
});

export type RecoveredView = z.infer<typeof recoveredSchema>;
