// pawl.toml as it is written: every section and key, its bounds, its default, and the sentence
// editors show for it. Rules that span several keys are in rules.ts.
import * as z from "zod";
import { CHANNEL_KINDS, SEVERITIES } from "../core/channel.ts";
import { ROLES } from "../core/task.ts";
import { RISKS } from "../core/vault/action.ts";
import * as field from "./fields.ts";
import { forge } from "./schema-forge.ts";

export const RUNTIMES = ["command", "script", "claude", "codex"] as const;
/** The runtimes this version can start; the others are refused by name. */
export const RUNTIMES_BUILT: readonly (typeof RUNTIMES)[number][] = ["command", "script", "claude"];
/** What Claude Code may do by default, besides changing files in its workspace. */
const CLAUDE_ALLOW = ["Bash", "Read", "Glob", "Grep", "TodoWrite", "Agent", "Task", "Skill"];

const project = z.strictObject({
  name: field.projectName().describe("The project's name in this factory."),
  target: field.branchName().describe("The branch that work lands on."),
  parallel: field.count(1, 64).default(3).describe("How many issues are worked on at once."),
  state_dir: field.text().optional().describe("Where published copies of the state go."),
});

const claude = z.strictObject({
  permission_mode: z
    .enum(["dontAsk", "acceptEdits", "default", "plan", "bypassPermissions"])
    .default("dontAsk")
    .describe(
      "dontAsk refuses what the rules do not allow; default asks you; bypassPermissions allows everything.",
    ),
  allow: z
    .array(field.text())
    .max(200)
    .default(CLAUDE_ALLOW)
    .describe("Permission rules of Claude Code, besides changing files in the workspace."),
  deny: z
    .array(field.text())
    .max(200)
    .default([])
    .describe("Permission rules of Claude Code for what is never allowed."),
  model: field.text().optional().describe("Passed as --model."),
  args: z
    .array(z.string())
    .max(100)
    .default([])
    .describe("Further arguments of claude, before the prompt."),
});

const agent = z.strictObject({
  runtime: z.enum(RUNTIMES).describe("What runs as the agent."),
  command: field.argv().optional().describe("The program and its arguments."),
  pass_env: z
    .array(field.variableName())
    .max(200)
    .default([])
    .describe("Variables of your environment that the agent may see."),
  env: z
    .record(field.variableName(), z.string())
    .default({})
    .describe("Variables set for the agent. Never secrets: this file is committed."),
  claude: claude.optional().describe('Only for runtime "claude".'),
  after_limit: z
    .enum(["resume", "ask"])
    .default("resume")
    .describe("A usage limit of its account is over: work goes on by itself, or you are asked."),
  limit_retry: field
    .duration()
    .prefault("15 min")
    .describe("A usage limit that names no end is tried again after this long."),
});

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
});

const ci = z.strictObject({
  server: z
    .enum(["builtin", "forge", "woodpecker"])
    .default("builtin")
    .describe(
      "Who checks PRs besides the gates below: nobody else, the forge's statuses, or Woodpecker.",
    ),
  contexts: z
    .array(field.text())
    .max(50)
    .optional()
    .describe(
      'Statuses that must be green, for server = "forge". Default: those that branch protection requires.',
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
  slots: field.count(1, 16).default(1).describe("How many checks run side by side."),
});

const review = z.strictObject({
  required: z.boolean().default(false).describe("Nothing lands without an approving review."),
  role: z
    .boolean()
    .default(false)
    .describe("Green branches are reviewed by an agent; nothing lands without its approval."),
  model: field.text().optional().describe("The model of the review role, where the agent has one."),
  parallel: field.count(1, 20).default(3).describe("How many reviews at a time."),
  diff_bytes: field
    .count(1000, 500_000)
    .default(25_000)
    .describe("More of a difference is cut, and the reviewer is told so."),
  docs: z
    .enum(["review", "skip"])
    .default("review")
    .describe("Whether branches that change documentation only are reviewed."),
  idle: field.duration().prefault("10 min").describe("A reviewer silent for so long is stuck."),
});

const merge = z.strictObject({
  strategy: z
    .enum(["rebase", "merge", "squash"])
    .optional()
    .describe(
      'How branches land; "merge" on a forge, so that PRs are seen as merged, else "rebase".',
    ),
  lanes: field.count(1, 8).default(1).describe("How many queue prefixes are tested side by side."),
});

const workspace = z.strictObject({
  setup: field.text().optional().describe("Run in a new workspace before the agent starts."),
  teardown: field.text().optional().describe("Run before a workspace is removed."),
  timeout: field.duration().prefault("10 min").describe("For setup and teardown."),
  copy: z
    .array(field.innerPath())
    .max(50)
    .default([])
    .describe("Ignored files agents need, e.g. .env."),
  ports_first: field
    .count(1024, 65_535)
    .optional()
    .describe("First port of the workspaces' ranges."),
  ports_count: field.count(1, 100).optional().describe("Ports per workspace."),
});

const git = z.strictObject({
  sign: z.boolean().default(false).describe("Sign the commits Pawl makes."),
  author: field.author().optional().describe('"Name <mail>" of the commits Pawl makes.'),
});

const checkpoints = z.strictObject({
  push: field
    .remote()
    .optional()
    .describe("A private remote (name or URL) to copy checkpoints to; they may hold secrets."),
});

const limits = z.strictObject({
  ci_fixes: field.count(0, 100).default(3).describe("Red CI results an agent may mend."),
  review_rounds: field.count(0, 100).default(5).describe("Rounds of requested changes."),
  conflicts: field.count(0, 100).default(3).describe("Times a branch is sent back from the queue."),
  nudges: field.count(0, 20).default(2).describe("Reminders to an idle agent."),
  crashes: field.count(0, 100).default(3).describe("Crashes within crash_window without a commit."),
  crash_window: field.duration().prefault("1 h"),
  ci_timeout: field
    .duration()
    .optional()
    .describe("Default: 30 min, or the longest gate's timeout."),
  review_timeout: field.duration().prefault("3 h"),
  escalation_reminder: field.duration().prefault("6 h"),
  escalation_timeout: field.duration().prefault("24 h"),
  farewell: field
    .duration()
    .prefault("60 s")
    .describe("For an agent to finish once its work landed."),
  grace: field.duration().prefault("10 s").describe("For an agent to end by itself when stopped."),
  quiet_warning: field.duration().prefault("15 min").describe("No progress: a warning."),
  stuck: field.duration().prefault("2 h").describe("No progress: stuck."),
  life: field.duration().prefault("8 h").describe("The longest life of one session."),
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

const triage = z.strictObject({
  per_day: field.count(1, 100).default(5).describe("So many letters of a UTC day at most."),
  model: field.text().optional().describe("Instead of the agent's own."),
});

const patrol = z.strictObject({
  enabled: z.boolean().default(true).describe("Whether patrols go their rounds."),
  deacon: field.duration().prefault("2 min").describe("Between two rounds of the deacon."),
  witness: field.duration().prefault("5 min").describe("Between two rounds of the witness."),
  memory_mb: field
    .count(1, 100_000)
    .default(600)
    .describe("A daemon that uses more than this starts anew; agents live on."),
  triage: triage
    .optional()
    .describe("Letters that the rules cannot decide are judged by a model first; off without it."),
});

const schedule = z.strictObject({
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
    .default(2000)
    .describe("With less free memory than this nothing is started."),
});

const allowance = z.strictObject({
  tokens: field.count(1, 1_000_000_000_000).optional().describe("Tokens of all kinds."),
  usd: z.number().min(0.01).max(1_000_000).optional().describe("US dollars."),
});

const monitoring = z.strictObject({
  small_model: field
    .text()
    .default("haiku")
    .describe("Reads the output of sessions for `pawl orchestrator-helper parse-output`."),
});

const budget = z.strictObject({
  run: allowance.optional().describe("Of one run; once it is spent, you are asked."),
  day: allowance.optional().describe("Of one UTC day; once it is spent, nobody is started."),
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

const risk = () => z.enum(RISKS);

const vaultRule = z.strictObject({
  type: field.gateName().optional().describe("webhook, command, forge or one of your own; any."),
  risk: risk().optional().describe("The highest risk that it fits; any unless told."),
  reversible: z.boolean().optional().describe("Whether it can be undone; either unless told."),
  decide: z.enum(["allow", "ask", "deny"]).describe("ask: an operator decides."),
});

const vault = z.strictObject({
  expires: field.duration().prefault("48 h").describe("Undecided for so long, it is rejected."),
  risk: z
    .record(field.gateName(), risk())
    .default({})
    .describe("The least risk of a type, instead of the built-in one."),
  reversible: z.array(field.gateName()).max(50).default([]).describe("Types that can be undone."),
  secrets: z
    .array(field.variableName())
    .max(50)
    .default([])
    .describe("Variables that actions may name as {{secret:NAME}}."),
  policy: z.array(vaultRule).max(100).default([]).describe("The first that fits decides."),
});

const notify = z.strictObject({
  kind: z.enum(CHANNEL_KINDS).describe("Where news goes."),
  name: field.gateName().optional().describe("Shown in status; the kind unless told."),
  severity: z.enum(SEVERITIES).default("warning").describe("The least that is brought this way."),
  url_env: field
    .variableName()
    .optional()
    .describe("The variable that holds the address: for webhook, slack and ntfy."),
  token_env: field.variableName().optional().describe("The variable that holds a bearer token."),
  command: field.argv().optional().describe("For command: gets the news as JSON on its input."),
  fold: field.duration().prefault("10 min").describe("News of one title within it becomes one."),
  timeout: field.duration().prefault("10 s").describe("For one try."),
  daily_summary: field.timeOfDay().optional().describe('When the day is summed up, UTC: "08:00".'),
});

export const schema = z.strictObject({
  project,
  agent,
  ci,
  forge: forge.optional(),
  trust: z
    .strictObject({
      authors: z
        .array(z.string().trim().min(1))
        .max(200)
        .describe("Whose text in issues, comments and reviews may instruct agents."),
    })
    .optional()
    .describe("Everybody else's text is quoted to agents as data."),
  review: review.prefault({}),
  merge: merge.prefault({}),
  workspace: workspace.prefault({}),
  git: git.prefault({}),
  checkpoints: checkpoints.prefault({}),
  limits: limits.prefault({}),
  patrol: patrol.optional().describe("Rounds that find what nobody else reports."),
  schedule: z
    .record(field.gateName(), schedule)
    .optional()
    .describe("What the project does by itself, and when."),
  budget: budget.optional(),
  monitoring: monitoring.optional(),
  vault: vault.optional().describe("Who decides about dangerous actions."),
  notify: z.array(notify).max(20).optional().describe("Ways to you besides the daemon's log."),
});

/** [agent.claude] where nothing is written there. */
export const CLAUDE_DEFAULTS: z.output<typeof claude> = claude.parse({});

export type WrittenConfig = z.output<typeof schema>;

/** The schema for editors, as it is in docs/pawl.schema.json. */
export function configSchema(): Record<string, unknown> {
  return { title: "pawl.toml", ...z.toJSONSchema(schema, { io: "input" }) };
}
