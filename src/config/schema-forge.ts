// The section [forge] of pawl.toml.
import * as z from "zod";
import * as field from "./fields.ts";

/** Where issues, PRs and reviews live. Tokens never stand here: see docs/forges. */
export const forge = z.strictObject({
  kind: z
    .enum(["builtin", "gitea", "github"])
    .describe("gitea is also for Forgejo and Codeberg; builtin keeps issues in Pawl's journal."),
  url: field
    .url()
    .optional()
    .describe("The address of the forge; for github the default is https://github.com."),
  repo: field.repository().optional().describe("The repository there, as owner/name."),
  operators: z
    .array(field.text())
    .max(50)
    .optional()
    .describe(
      "Accounts that Pawl asks on the forge and whose comments count as answers. Default: the repository's owner.",
    ),
  timeout: field
    .duration()
    .optional()
    .describe(
      'How long Pawl waits for an answer of the forge before it tries again later. Default: "20 s".',
    ),
  adopt_after: field
    .duration()
    .optional()
    .describe(
      "Take over an issue that another factory of the same account claimed this long ago. Choose a time longer than any run takes. Default: never.",
    ),
  webhook: z
    .strictObject({
      listen: field
        .address()
        .describe(
          "The address on which Pawl listens for webhooks of the forge; see docs/webhooks.md.",
        ),
    })
    .optional(),
});
