// The section [vault] of pawl.toml: who decides about dangerous actions.
import * as z from "zod";
import { RISKS } from "../core/vault/vault-action.ts";
import * as field from "./fields.ts";

const risk = () => z.enum(RISKS);

const vaultRule = z.strictObject({
  type: field
    .gateName()
    .optional()
    .describe("webhook, command, forge or your own type. Default: any."),
  risk: risk().optional().describe("The highest risk that this rule matches. Default: any."),
  reversible: z.boolean().optional().describe("Whether the action can be undone. Default: either."),
  decide: z
    .enum(["allow", "ask", "deny"])
    .describe(
      "allow: Pawl carries out the action without asking. ask: an operator decides. deny: Pawl rejects the request.",
    ),
});

export const vault = z.strictObject({
  expires: field
    .duration()
    .prefault("48 h")
    .describe("A request without a decision for this long is rejected."),
  risk: z
    .record(field.gateName(), risk())
    .default({})
    .describe("The lowest risk of a type, instead of the built-in one."),
  reversible: z.array(field.gateName()).max(50).default([]).describe("Types that can be undone."),
  secrets: z
    .array(field.variableName())
    .max(50)
    .default([])
    .describe("Variables that actions may name as {{secret:NAME}}."),
  policy: z.array(vaultRule).max(100).default([]).describe("The first that fits decides."),
});
