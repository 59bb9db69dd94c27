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
    .describe(
      "Where published copies of the state go; a relative path is meant from the repository.",
    ),
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
  journals: z
    .enum(["review", "skip"])
    .default("skip")
    .describe(
      "Whether branches of standing roles are reviewed that may change only their own files, such as a journal. One that changes a file that agents obey, such as AGENTS.md, is reviewed as any other.",
    ),
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

const mergeQueue = z.strictObject({
  protected: z
    .array(field.innerPath())
    .max(100)
    .default([])
    .describe(
      'Files that the gates consist of, e.g. "test.sh", ".github/**": a branch that changes one waits for approval, like pawl.toml.',
    ),
  resolve: field
    .argv()
    .refine(
      (argv) => argv.some((part) => part.includes("{file}")),
      "has no {file} in it. Write it where the program wants the path of the file.",
    )
    .optional()
    .describe(
      'A program that resolves conflicts, e.g. ["mergiraf", "solve", "{file}"]: run on a file with conflict marks; what it leaves without marks is tested like any other candidate.',
    ),
});

const workspace = z.strictObject({
  setup: field.text().optional().describe("Run in a new workspace before the agent starts."),
  teardown: field.text().optional().describe("Run before a workspace is removed."),
  timeout: field.duration().prefault("10 min").describe("For setup and teardown."),
  copy: z
    .array(field.innerPath())
    .max(50)
    .default([])
    .describe(
      "Ignored files and folders agents need, e.g. .env. Copied by reference where the file system can.",
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
    .describe("First port of the workspaces' ranges."),
  ports_count: field.count(1, 100).optional().describe("Ports per workspace."),
  keep_days: field
    .count(1, 36_500)
    .optional()
    .describe("Days until the workspace of a blocked issue is saved and removed. Default: 30."),
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
      'Agents ask their models through Pawl, with these keys, which they never see: "anthropic", "openai", "gemini", or names of factory.toml. Not for logins with a subscription.',
    ),
});

const monitoring = z.strictObject({
  small_model: field
    .text()
    .default("haiku")
    .describe("Reads the output of sessions for `pawl orchestrator-helper parse-output`."),
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
  monitoring: monitoring.optional(),
  vault: vault.optional().describe("Who decides about dangerous actions."),
  notify: z.array(notify).max(20).optional().describe("Ways to you besides the daemon's log."),
});

export type WrittenConfig = z.output<typeof schema>;

/** The schema for editors, as it is in docs/pawl.schema.json. */
export function configSchema(): Record<string, unknown> {
  return { title: "pawl.toml", ...z.toJSONSchema(schema, { io: "input" }) };
}
