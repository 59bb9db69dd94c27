// What `pawl init` is told of the forge behind a repository's remote.
import * as z from "zod";

export const forgeLookInput = z.object({
  /** The URL of the remote, as git has it. */
  remote: z.string().max(2000),
  target: z.string().max(200),
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
  /** What keeps Pawl from working there, each with its next step. */
  problems: z.array(z.string()),
  /** What works, and would work better. */
  advice: z.array(z.string()),
});

export type ForgeView = z.infer<typeof forgeView>;
