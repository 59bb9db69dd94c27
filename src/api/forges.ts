// What `pawl init` is told of the forge behind a repository's remote.
import * as z from "zod";

export const forgeLookInput = z.object({
  /** The URL of the remote, as git has it. */
  remote: z.string().max(2000),
  target: z.string().max(200),
  /** What the pawl.toml that is there says, where it names a forge: it counts more than the remote. */
  kind: z.enum(["gitea", "github"]).optional(),
  url: z.string().max(2000).optional(),
  repo: z.string().max(400).optional(),
});

export const forgePrepareInput = forgeLookInput.extend({
  /** Have PRs that land shown as merged. */
  show_merges: z.boolean().default(false),
});

export const forgeView = z.object({
  kind: z.enum(["gitea", "github"]),
  url: z.string(),
  repo: z.string(),
  /** The variable the token was found in; null where there is none, and nothing was asked. */
  token: z.string().nullable(),
  login: z.string().nullable(),
  reviewer: z.string().nullable(),
  labels_missing: z.array(z.string()),
  /** Whether PRs that land are shown as merged; null where that could not be seen. */
  merges: z.enum(["shown", "hidden", "switchable"]).nullable(),
  /** What keeps Pawl from working there, each with its next step. */
  problems: z.array(z.string()),
  /** What works, and would work better. */
  advice: z.array(z.string()),
});

export type ForgeView = z.infer<typeof forgeView>;
