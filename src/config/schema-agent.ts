// The section [agent] of pawl.toml: what runs as the agent, and what it may see and do.
import * as z from "zod";
import * as field from "./fields.ts";

const RUNTIMES = ["command", "script", "claude"] as const;

export const isRuntime = (name: string): name is (typeof RUNTIMES)[number] =>
  RUNTIMES.some((runtime) => runtime === name);

/** What Claude Code may do by default, besides changing files in its workspace. */
const CLAUDE_ALLOW = ["Bash", "Read", "Glob", "Grep", "TodoWrite", "Agent", "Task", "Skill"];

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

export const agent = z.strictObject({
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
    .describe("A usage limit of its account is over: work resumes, or you are asked."),
  limit_retry: field
    .duration()
    .prefault("15 min")
    .describe("A usage limit that names no end is tried again after this long."),
});

/** [agent.claude] where nothing is written there. */
export const CLAUDE_DEFAULTS: z.output<typeof claude> = claude.parse({});
