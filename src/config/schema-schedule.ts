// The sections [schedule] and [patrol] of pawl.toml: what happens by itself, and when.
import * as z from "zod";
import { ROLES } from "../core/task.ts";
import * as field from "./fields.ts";

export const schedule = z.strictObject({
  cron: field.text().optional().describe('Five fields, e.g. "0 6 * * *".'),
  every: field.duration().optional().describe("Instead of cron: every so often."),
  tz: field.text().default("UTC").describe("The zone that cron counts in."),
  role: z.enum(ROLES).optional().describe("Whose work is started: the formula run-ROLE."),
  formula: field.text().optional().describe("Instead of role: the formula that is started."),
  enabled: z.boolean().default(true).describe("The switch of this schedule."),
  jitter: field
    .duration()
    .optional()
    .describe("It comes up to so much later, always by the same amount."),
  lease: field
    .duration()
    .prefault("2 h")
    .describe("One that takes longer is given up on, so that the next can come."),
  memory_mb: field
    .count(0, 1_000_000)
    .optional()
    .describe(
      "With less free memory than this nothing is started. Default: 2000; 0 for the supervisor, which reports low memory.",
    ),
});

const triage = z.strictObject({
  per_day: field.count(1, 100).default(5).describe("So many letters of a UTC day at most."),
  model: field.text().optional().describe("Instead of the agent's own."),
});

export const patrol = z.strictObject({
  enabled: z.boolean().default(true).describe("Whether patrols go their rounds."),
  deacon: field.duration().prefault("2 min").describe("Between two rounds of the deacon."),
  witness: field.duration().prefault("5 min").describe("Between two rounds of the witness."),
  memory_mb: field
    .count(1, 100_000)
    .default(600)
    .describe("A daemon that uses more than this restarts; agents keep running."),
  triage: triage
    .optional()
    .describe("Letters that the rules cannot decide are judged by a model first; off without it."),
});
