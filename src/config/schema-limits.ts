// The sections [limits] and [budget] of pawl.toml: how often, how long and for how much money Pawl
// continues before it asks a person.
import * as z from "zod";
import * as field from "./fields.ts";

export const limits = z.strictObject({
  ci_fixes: field.count(0, 100).default(3).describe("How many CI failures an agent may fix."),
  review_rounds: field
    .count(0, 100)
    .default(5)
    .describe("How many times a review may request changes before the issue is blocked."),
  conflicts: field
    .count(0, 100)
    .default(3)
    .describe("How many times the queue may send a branch back."),
  nudges: field.count(0, 20).default(2).describe("How many reminders an idle agent gets."),
  branch_mb: field
    .count(1, 1_000_000)
    .default(2000)
    .describe("Megabytes that a branch may add to the repository; Pawl sends back a larger one."),
  crashes: field
    .count(0, 100)
    .default(3)
    .describe("After this many crashes within crash_window without a new commit, Pawl asks you."),
  crash_window: field.duration().prefault("1 h").describe("The time in which crashes are counted."),
  ci_timeout: field
    .duration()
    .optional()
    .describe("How long a CI result may take. Default: 30 min, or the longest gate's timeout."),
  review_timeout: field
    .duration()
    .prefault("3 h")
    .describe("If there is no review for this long, Pawl asks you."),
  escalation_reminder: field
    .duration()
    .prefault("6 h")
    .describe("Pawl reminds you of an open question after this long."),
  escalation_timeout: field
    .duration()
    .prefault("24 h")
    .describe("A question without an answer for this long blocks its issue."),
  farewell: field
    .duration()
    .prefault("60 s")
    .describe("How long an agent may take to finish after its work landed."),
  grace: field
    .duration()
    .prefault("10 s")
    .describe("How long an agent may take to exit when it is stopped."),
  quiet_warning: field
    .duration()
    .prefault("15 min")
    .describe("Pawl warns you about an agent without progress for this long."),
  stuck: field
    .duration()
    .prefault("2 h")
    .describe("Without progress for this long, the agent is stuck."),
  life: field.duration().prefault("8 h").describe("The longest time that one session may run."),
  action_life: field
    .duration()
    .prefault("8 h")
    .describe("The longest time that a session of an `action` issue may run."),
  action_idle: field
    .duration()
    .prefault("4 h")
    .describe("Without progress for this long, a session of an `action` issue is stuck."),
  idle_check: field
    .duration()
    .prefault("10 s")
    .describe("The time between the three checks that find an agent idle."),
  stale: field
    .duration()
    .prefault("5 min")
    .describe("An agent that was not seen for this long is stale."),
  hand_off: field
    .duration()
    .prefault("60 s")
    .describe("How long an agent may take to save its work and exit."),
  context_medium: field
    .count(1, 100)
    .default(70)
    .describe("Use of the context, in percent, at which Pawl tells the agent to save its work."),
  context_high: field
    .count(1, 100)
    .default(80)
    .describe("Use of the context, in percent, at which a fresh session takes over."),
  unread: field
    .duration()
    .prefault("10 min")
    .describe("Pawl shows messages that are unread for this long."),
});

const allowance = z.strictObject({
  tokens: field.count(1, 1_000_000_000_000).optional().describe("Tokens of all kinds."),
  usd: z.number().min(0.01).max(1_000_000).optional().describe("US dollars."),
});

export const budget = z.strictObject({
  run: allowance.optional().describe("For one run; when it is spent, Pawl asks you."),
  day: allowance.optional().describe("For one UTC day; when it is spent, no agent starts."),
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
    .describe("For one role on one UTC day."),
});
