// The sections [schedule] and [patrol] of pawl.toml: what happens by itself, and when.
import * as z from "zod";
import { ROLES } from "../core/task.ts";
import * as field from "./fields.ts";

export const schedule = z.strictObject({
  cron: field.text().optional().describe('Five fields, e.g. "0 6 * * *".'),
  every: field.duration().optional().describe("The interval, instead of cron."),
  tz: field.text().default("UTC").describe("The time zone of cron."),
  role: z.enum(ROLES).optional().describe("The role to start, by the formula run-ROLE."),
  formula: field.text().optional().describe("The formula to start, instead of a role."),
  enabled: z.boolean().default(true).describe("Whether this schedule is on."),
  jitter: field
    .duration()
    .optional()
    .describe("Start up to this much later; the delay is the same every time."),
  lease: field
    .duration()
    .prefault("2 h")
    .describe("Pawl waits this long for a run to end; after that, the next one may start."),
  memory_mb: field
    .count(0, 1_000_000)
    .optional()
    .describe(
      "Do not start with less free memory (MB) than this. Default: 2000; 0 for the supervisor, which reports low memory.",
    ),
});

const triage = z.strictObject({
  per_day: field.count(1, 100).default(5).describe("The highest number of letters per UTC day."),
  model: field.text().optional().describe("The model, instead of the agent's own."),
});

export const patrol = z.strictObject({
  enabled: z.boolean().default(true).describe("Whether patrols run."),
  deacon: field.duration().prefault("2 min").describe("The time between two rounds of the deacon."),
  witness: field
    .duration()
    .prefault("5 min")
    .describe("The time between two rounds of the witness."),
  memory_mb: field
    .count(1, 100_000)
    .default(600)
    .describe("A daemon that uses more than this restarts; agents keep running."),
  triage: triage
    .optional()
    .describe(
      "A model judges letters that the rules cannot decide; without this, they go to you directly.",
    ),
});
