// The sections [limits] and [budget] of pawl.toml: how often, how long and for how much money Pawl
// continues before it asks a person.
import * as z from "zod";
import * as field from "./fields.ts";

export const limits = z.strictObject({
  ci_fixes: field.count(0, 100).default(3).describe("Red CI results an agent may fix."),
  review_rounds: field.count(0, 100).default(5).describe("Rounds of requested changes."),
  conflicts: field.count(0, 100).default(3).describe("Times a branch is sent back from the queue."),
  nudges: field.count(0, 20).default(2).describe("Reminders to an idle agent."),
  branch_mb: field
    .count(1, 1_000_000)
    .default(2000)
    .describe("Megabytes that a branch may add to the repository; a larger one is sent back."),
  crashes: field.count(0, 100).default(3).describe("Crashes within crash_window without a commit."),
  crash_window: field.duration().prefault("1 h").describe("The time in which crashes are counted."),
  ci_timeout: field
    .duration()
    .optional()
    .describe("How long a CI result may take. Default: 30 min, or the longest gate's timeout."),
  review_timeout: field
    .duration()
    .prefault("3 h")
    .describe("Without a review for so long, the agent is told."),
  escalation_reminder: field
    .duration()
    .prefault("6 h")
    .describe("After this long you are reminded of a question."),
  escalation_timeout: field
    .duration()
    .prefault("24 h")
    .describe("A question without an answer for this long blocks its issue."),
  farewell: field
    .duration()
    .prefault("60 s")
    .describe("For an agent to finish once its work landed."),
  grace: field.duration().prefault("10 s").describe("For an agent to end by itself when stopped."),
  quiet_warning: field.duration().prefault("15 min").describe("No progress: a warning."),
  stuck: field.duration().prefault("2 h").describe("No progress: stuck."),
  life: field.duration().prefault("8 h").describe("The longest life of one session."),
  action_life: field
    .duration()
    .prefault("8 h")
    .describe("The longest life of a session that carries out an `action` issue."),
  action_idle: field
    .duration()
    .prefault("4 h")
    .describe("Without progress for so long, a session of an `action` issue is stuck."),
  idle_check: field
    .duration()
    .prefault("10 s")
    .describe("Between the three looks that find an agent idle."),
  stale: field.duration().prefault("5 min").describe("Unseen for so long, an identity is stale."),
  hand_off: field.duration().prefault("60 s").describe("For an agent to save its work and leave."),
  context_medium: field
    .count(1, 100)
    .default(70)
    .describe("Use of the context, in percent, at which an agent is told to save its work."),
  context_high: field
    .count(1, 100)
    .default(80)
    .describe("Use of the context, in percent, at which a successor takes over."),
  unread: field.duration().prefault("10 min").describe("Messages unread for so long are shown."),
});

const allowance = z.strictObject({
  tokens: field.count(1, 1_000_000_000_000).optional().describe("Tokens of all kinds."),
  usd: z.number().min(0.01).max(1_000_000).optional().describe("US dollars."),
});

export const budget = z.strictObject({
  run: allowance.optional().describe("Of one run; once it is spent, you are asked."),
  day: allowance.optional().describe("Of one UTC day; once it is spent, no agent is started."),
  roles: z
    .strictObject({
      dev: allowance.optional(),
      review: allowance.optional(),
      gardener: allowance.optional(),
      supervisor: allowance.optional(),
      planner: allowance.optional(),
      predictor: allowance.optional(),
      action: allowance.optional(),
    })
    .optional()
    .describe("Of one role on one UTC day."),
});
