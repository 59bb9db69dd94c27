// The section [ci] of pawl.toml: what must be green before anything lands, and who says so.
import * as z from "zod";
import * as field from "./fields.ts";

const gate = z.strictObject({
  name: field.gateName().describe("Shown in results and logs."),
  command: field
    .text()
    .describe("The command, run by sh in a clean checkout; exit code 0 means passed."),
  timeout: field
    .duration()
    .optional()
    .describe("The time limit of this CI gate, instead of [ci] timeout."),
  report: field
    .innerPath()
    .optional()
    .describe(
      "The file to which the gate writes JUnit XML or TAP. If the file is missing or has no tests, the gate fails.",
    ),
});

const woodpecker = z.strictObject({
  url: field.url().optional().describe("The address of the server. Default: WOODPECKER_SERVER."),
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
      "What checks PRs besides the CI gates below: nothing (builtin), the forge's statuses, or Woodpecker.",
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
    .describe("How often Pawl asks the CI server for a result. Not used without a server."),
  woodpecker: woodpecker.optional().describe('Only for server = "woodpecker".'),
  command: field
    .text()
    .optional()
    .describe('The command that must pass; short for one CI gate named "test".'),
  gates: z
    .array(gate)
    .min(1)
    .max(20)
    .optional()
    .describe("Run in this order, up to the first red one."),
  none: z.literal(true).optional().describe("No CI: everything counts as passed."),
  setup: field.text().optional().describe("Run before the gates, e.g. to install dependencies."),
  timeout: field
    .duration()
    .prefault("30 min")
    .describe("The time limit for set-up and for each gate."),
  keep: z
    .array(field.innerPath())
    .max(50)
    .default([])
    .describe("Folders that are kept between checkouts."),
  history: z
    .boolean()
    .default(false)
    .describe(
      "The gates need git history. Pawl then runs them again even for a tree that passed before.",
    ),
  sparse: z
    .array(field.innerPath())
    .min(1)
    .max(100)
    .optional()
    .describe("Check out only these folders for gates, and the files above them. Default: all."),
  slots: field.count(1, 16).default(1).describe("How many checks run at the same time."),
});
