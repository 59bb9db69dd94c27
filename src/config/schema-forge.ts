// The section [forge] of pawl.toml.
import * as z from "zod";
import * as field from "./fields.ts";

/** Where issues, PRs and reviews live. Tokens never stand here: see docs/forges. */
export const forge = z.strictObject({
  kind: z
    .enum(["builtin", "gitea", "github"])
    .describe("gitea is also for Forgejo and Codeberg; builtin keeps issues in Pawl's journal."),
  url: field.url().optional().describe("Where the forge is; for github https://github.com."),
  repo: field.repository().optional().describe("The repository there, as owner/name."),
  operators: z
    .array(field.text())
    .max(50)
    .optional()
    .describe(
      "Accounts there that are asked, and whose comments answer; without it the repository's owner.",
    ),
  timeout: field
    .duration()
    .optional()
    .describe("How long an answer of the forge is waited for; 20 s. It is asked again later."),
  adopt_after: field
    .duration()
    .optional()
    .describe(
      "An issue that another factory of the same account claimed so long ago is taken over; longer than any run. Default: never.",
    ),
  webhook: z
    .strictObject({
      listen: field
        .address()
        .describe("Where the forge's webhooks are listened for; see docs/webhooks.md."),
    })
    .optional(),
});
