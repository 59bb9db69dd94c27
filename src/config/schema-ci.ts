// The section [ci] of pawl.toml: what must be green before anything lands, and who says so.
import * as z from "zod";
import * as field from "./fields.ts";

const gate = z.strictObject({
  name: field.gateName().describe("Shown in results and logs."),
  command: field.text().describe("Run by sh in a clean checkout; exit 0 is green."),
  timeout: field.duration().optional().describe("Instead of [ci] timeout."),
  report: field
    .innerPath()
    .optional()
    .describe("Where it writes JUnit XML or TAP; without that, or without tests in it, it is red."),
});

const woodpecker = z.strictObject({
  url: field.url().optional().describe("Where the server is. Default: WOODPECKER_SERVER."),
  repo: z
    .union([z.int().min(1), field.text()])
    .optional()
    .describe("The repository's number there, or owner/name. Default: owner/name of the remote."),
  events: z
    .array(z.enum(["push", "pull_request"]))
    .min(1)
    .max(2)
    .optional()
    .describe(
      "Events whose pipelines must be green. Default: those whose contexts (ci/woodpecker/push/…, ci/woodpecker/pr/…) branch protection requires; set this or require checks in branch protection.",
    ),
});

export const ci = z.strictObject({
  server: z
    .enum(["builtin", "forge", "woodpecker"])
    .default("builtin")
    .describe(
      "Who checks PRs besides the gates below: nothing else, the forge's statuses, or Woodpecker.",
    ),
  contexts: z
    .array(field.text())
    .max(50)
    .optional()
    .describe(
      'Statuses that must be green, for server = "forge". Default: those that branch protection requires; set this or require checks in branch protection.',
    ),
  poll: field
    .duration()
    .prefault("30 s")
    .describe("How often a server is looked at while its verdict is awaited."),
  woodpecker: woodpecker.optional().describe('Only for server = "woodpecker".'),
  command: field.text().optional().describe('Short for one gate named "test".'),
  gates: z
    .array(gate)
    .min(1)
    .max(20)
    .optional()
    .describe("Run in this order, up to the first red one."),
  none: z.literal(true).optional().describe("No CI: everything counts as passed."),
  setup: field.text().optional().describe("Run before the gates, e.g. to install dependencies."),
  timeout: field.duration().prefault("30 min").describe("For set-up and for each gate."),
  keep: z
    .array(field.innerPath())
    .max(50)
    .default([])
    .describe("Folders that survive between checkouts."),
  history: z
    .boolean()
    .default(false)
    .describe("Gates need git history; nothing is remembered then."),
  sparse: z
    .array(field.innerPath())
    .min(1)
    .max(100)
    .optional()
    .describe("Check out only these folders for gates, and the files above them. Default: all."),
  slots: field.count(1, 16).default(1).describe("How many checks run side by side."),
});
