// Items of the vault, as the daemon tells them.
import { z } from "zod";

export const vaultSchema = z.object({
  id: z.string(),
  project: z.string(),
  what: z.string(),
  /** webhook, command, forge, or a type of the user's own. */
  type: z.string(),
  risk: z.string(),
  reversible: z.boolean(),
  /** waiting, firing, resting, unsure, fired, rejected, denied, expired or failed. */
  status: z.string(),
  /** Only a person can say what follows. */
  needs_you: z.boolean(),
  by: z.string(),
  run: z.string().nullable(),
  issue: z.number().nullable(),
  requested_at: z.string(),
  deadline: z.string().nullable(),
  /** SHA-256 of the canonical payload: what an approval is bound to. */
  sha256: z.string(),
  /** Secrets by name only. */
  payload: z.unknown(),
  log: z.array(z.object({ at: z.string(), text: z.string() })),
});

export type VaultView = z.infer<typeof vaultSchema>;

export const vaultRequestSchema = z.object({
  id: z.string(),
  what: z.string(),
  risk: z.string().optional(),
  reversible: z.boolean().optional(),
  action: z.unknown(),
  by: z.string().min(1).max(200),
});

export const vaultApproveSchema = z.object({ by: z.string().min(1).max(200), hash: z.string() });
export const vaultConfirmSchema = z.object({
  by: z.string().min(1).max(200),
  happened: z.boolean(),
  note: z.string().max(500),
});
export const vaultRejectSchema = z.object({
  by: z.string().min(1).max(200),
  reason: z.string().max(500),
});
