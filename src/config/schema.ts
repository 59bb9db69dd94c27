// pawl.toml as it is written: every section and key, its bounds, its default, and the sentence
// editors show for it. The larger sections have files of their own (schema-*.ts); rules that span
// several keys are in rules.ts.
import * as z from "zod";
import { CHANNEL_KINDS, SEVERITIES } from "../core/channel.ts";
import * as field from "./fields.ts";
import { agent } from "./schema-agent.ts";
import { ci } from "./schema-ci.ts";
import { forge } from "./schema-forge.ts";
import { isolation } from "./schema-isolation.ts";
import { budget, limits } from "./schema-limits.ts";
import { patrol, schedule } from "./schema-schedule.ts";
import { vault } from "./schema-vault.ts";

const project = z.strictObject({
  name: field.projectName().describe("The project's name in this factory."),
  target: field.branchName().describe("The branch that work lands on."),
  parallel: field.count(1, 512).default(3).describe("How many issues are worked on at once."),
  state_dir: field
    .text()
    .optional()
    .describe("Where published copies of the state go; a relative path starts at the repository."),
});

const review = z.strictObject({
  required: z.boolean().default(false).describe("Nothing lands without an approving review."),
  role: z
    .boolean()
    .default(false)
    .describe("An agent reviews branches that passed CI; nothing lands without its approval."),
  model: field
    .text()
    .optional()
    .describe("The model of the review role, if the agent supports models."),
  parallel: field.count(1, 20).default(3).describe("How many reviews run at the same time."),
  diff_bytes: field
    .count(1000, 500_000)
    .default(25_000)
    .describe("Pawl cuts a longer diff, and tells the reviewer so."),
  docs: z
    .enum(["review", "skip"])
    .default("review")
    .describe("Whether branches that change only documentation are reviewed."),
  journals: z
    .enum(["review", "skip"])
    .default("skip")
    .describe(
      "Whether to review branches of standing roles that may change only their own files, such as a journal. A branch that changes a file that agents obey, such as AGENTS.md, is always reviewed.",
    ),
  idle: field
    .duration()
    .prefault("10 min")
    .describe("A reviewer without progress for this long is stuck."),
});

const merge = z.strictObject({
  strategy: z
    .enum(["rebase", "merge", "squash"])
    .optional()
    .describe(
      'How branches land. Default: "rebase"; on a forge "merge", so that it shows PRs as merged.',
    ),
  lanes: field
    .count(1, 8)
    .default(1)
    .describe("How many batches of the queue are tested at the same time."),
});

const mergeQueue = z.strictObject({
  protected: z
    .array(field.innerPath())
    .max(100)
    .default([])
    .describe(
      'Files that define the gates, e.g. "test.sh", ".github/**": a branch that changes one waits for approval, like pawl.toml.',
    ),
  resolve: field
    .argv()
    .refine(
      (argv) => argv.some((part) => part.includes("{file}")),
      "has no {file} in it. Write it where the program expects the path of the file.",
    )
    .optional()
    .describe(
      'A program that resolves conflicts, e.g. ["mergiraf", "solve", "{file}"]: it runs on each file with conflict markers. If none are left, the result is tested like any other candidate.',
    ),
});

const workspace = z.strictObject({
  setup: field.text().optional().describe("Run in a new workspace before the agent starts."),
  teardown: field.text().optional().describe("Run before a workspace is removed."),
  timeout: field.duration().prefault("10 min").describe("The time limit for setup and teardown."),
  copy: z
    .array(field.innerPath())
    .max(50)
    .default([])
    .describe(
      "Ignored files and folders that agents need, e.g. .env. They are copied by reference if the file system supports it.",
    ),
  sparse: z
    .array(field.innerPath())
    .min(1)
    .max(100)
    .optional()
    .describe(
      "Check out only these folders in workspaces, and the files above them. A branch keeps the rest. Default: all.",
    ),
  ports_first: field
    .count(1024, 65_535)
    .optional()
    .describe("The first port of the ports that workspaces get."),
  ports_count: field.count(1, 100).optional().describe("Ports per workspace."),
  keep_days: field
    .count(1, 36_500)
    .optional()
    .describe(
      "Days until the workspace of an issue that was blocked, refused or withdrawn is saved and removed. Default: 30.",
    ),
});

const git = z.strictObject({
  sign: z.boolean().default(false).describe("Sign the commits Pawl makes."),
  author: field.author().optional().describe('"Name <mail>" of the commits Pawl makes.'),
  submodules: z
    .boolean()
    .default(true)
    .describe("Check out submodules in workspaces and for gates, as the commit pins them."),
});

const checkpoints = z.strictObject({
  file_mb: field
    .count(1, 100_000)
    .optional()
    .describe("Megabytes above which a file is not saved. Default: 256."),
  push: field
    .remote()
    .optional()
    .describe("A private remote (name or URL) to copy checkpoints to; they may hold secrets."),
});

const gateway = z.strictObject({
  keys: z
    .array(field.gateName())
    .min(1)
    .max(10)
    .describe(
      'The API keys with which agents reach their models, through Pawl and without seeing the keys: "anthropic", "openai", "gemini", or names that factory.toml defines. Logins with a subscription cannot be used.',
    ),
});

const monitoring = z.strictObject({
  small_model: field
    .text()
    .default("haiku")
    .describe("The model that reads session output for `pawl orchestrator-helper parse-output`."),
});

const notify = z.strictObject({
  kind: z.enum(CHANNEL_KINDS).describe("The kind of channel."),
  name: field.gateName().optional().describe("The name in status. Default: the kind."),
  severity: z.enum(SEVERITIES).default("warning").describe("The lowest severity that is sent."),
  url_env: field
    .variableName()
    .optional()
    .describe("The variable that holds the address: for webhook, slack and ntfy."),
  token_env: field.variableName().optional().describe("The variable that holds a bearer token."),
  command: field
    .argv()
    .optional()
    .describe("For command: the program, which gets the notification as JSON on stdin."),
  fold: field
    .duration()
    .prefault("10 min")
    .describe("Notifications with the same title within this time are sent as one."),
  timeout: field.duration().prefault("10 s").describe("The time limit of one try."),
  daily_summary: field
    .timeOfDay()
    .optional()
    .describe('When to send the daily summary, in UTC: "08:00".'),
});

const price = z.strictObject({
  model: field.text().describe("The beginning of the model's name."),
  input: z.number().min(0).max(10_000).describe("Dollars per million tokens of input."),
  output: z.number().min(0).max(10_000).describe("Dollars per million tokens of output."),
  cache_read: z
    .number()
    .min(0)
    .max(10_000)
    .default(0)
    .describe("Dollars per million tokens read from the cache."),
  cache_write: z
    .number()
    .min(0)
    .max(10_000)
    .default(0)
    .describe("Dollars per million tokens written to the cache."),
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
        .describe(
          "Accounts whose text in issues, comments and reviews may instruct agents. Only their reviews count.",
        ),
    })
    .optional()
    .describe("Pawl quotes the text of all other authors to agents as data."),
  review: review.prefault({}),
  merge: merge.prefault({}),
  merge_queue: mergeQueue.optional(),
  workspace: workspace.prefault({}),
  isolation: isolation
    .optional()
    .describe("The walls around agents. Without this section there are none."),
  git: git.prefault({}),
  checkpoints: checkpoints.prefault({}),
  limits: limits.prefault({}),
  patrol: patrol.optional().describe("Periodic health checks (deacon and witness)."),
  schedule: z
    .record(field.gateName(), schedule)
    .optional()
    .describe("What the project does by itself, and when."),
  budget: budget.optional(),
  gateway: gateway
    .optional()
    .describe("A gateway to the model that holds the key (docs/gateway.md)."),
  price: z
    .array(price)
    .max(100)
    .optional()
    .describe("What models cost, for agents that report tokens and no money."),
  monitoring: monitoring.optional(),
  vault: vault.optional().describe("Who decides about dangerous actions."),
  notify: z
    .array(notify)
    .max(20)
    .optional()
    .describe("How Pawl notifies you, besides the daemon's log."),
});

export type WrittenConfig = z.output<typeof schema>;

/** The schema for editors, as it is in docs/pawl.schema.json. */
export function configSchema(): Record<string, unknown> {
  return { title: "pawl.toml", ...z.toJSONSchema(schema, { io: "input" }) };
}
