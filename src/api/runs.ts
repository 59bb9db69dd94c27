// Runs and the state of the factory, as the daemon tells them.
import { z } from "zod";

export const runSchema = z.object({
  run: z.string(),
  project: z.string(),
  /** Null for a task. */
  issue: z.number().nullable(),
  title: z.string(),
  identity: z.string(),
  role: z.string(),
  /** What runs as the agent: a known runtime, or the command's own name. */
  agent: z.string(),
  /** Where one is chosen. */
  model: z.string().nullable().optional(),
  stage: z.string(),
  doing: z.string(),
  /** Since when it does that. */
  doing_since: z.string().optional(),
  /** How far git is with its workspace, as in "checking out files, 43 %". */
  progress: z.string().nullable().optional(),
  needs_you: z.string().nullable(),
  phase: z.string().nullable(),
  epoch: z.number(),
  /** This run had a session before the present one. */
  has_predecessor: z.boolean().optional(),
  crashes: z.number(),
  alive: z.boolean(),
  /** Its agent is being started: no process of it is known yet. */
  starting: z.boolean().optional(),
  pid: z.number().nullable(),
  tmux_session: z.string().nullable(),
  branch: z.string(),
  head: z.string().nullable(),
  base: z.string().nullable(),
  pr: z.number().nullable(),
  worktree_path: z.string(),
  log_path: z.string(),
  requested_at: z.string(),
  ended_at: z.string().nullable(),
  outcome: z.string().nullable(),
  landed_as: z.string().nullable(),
  messages: z.array(
    z.object({
      id: z.string(),
      kind: z.string(),
      /** `unconfirmed`: the agent went on without saying that it read it. */
      status: z.string(),
      epoch: z.number().nullable(),
      at: z.string(),
      urgent: z.boolean(),
      /** A dead letter: written long ago, and not known to be read. */
      overdue: z.boolean(),
      /** It answers nothing: a person asked the agent to continue (`pawl retry`). */
      resumes: z.boolean().optional(),
    }),
  ),
  /** What keeps the agent from working: `ci`, `decision`, `limit until …`. */
  waiting: z.string().nullable(),
  last_seen: z.string().nullable(),
  last_progress: z.string().nullable(),
  work_phase: z.string(),
  work_summary: z.string(),
  warnings: z.array(z.string()),
  /** Who holds it or has stopped it; null where it goes on. */
  held_by: z.string().nullable().optional(),
  stopped_by: z.string().nullable().optional(),
  /** Of its issue on the forge. */
  issue_url: z.string().nullable().optional(),
  /** How full its context is, if the agent reports it. */
  context_percent: z.number().nullable().optional(),
  /** Of all its lives so far; 0 where the agent reports nothing. */
  tokens: z.number().optional(),
  cost_usd: z.number().optional(),
  /** Its last check, or the one under way. `detail`: what failed. */
  ci: z
    .object({
      state: z.enum(["running", "passed", "failed", "infra"]),
      detail: z.string().nullable(),
    })
    .nullable()
    .optional(),
  /** Events of each of the last 30 minutes, the oldest first; only where it was asked for. */
  activity: z.array(z.number()).optional(),
  /** Sections of pawl.toml that changed since it began, which it does not follow; told by a retry. */
  kept_settings: z.array(z.string()).optional(),
});

export type RunView = z.infer<typeof runSchema>;

export const waitSchema = z.object({
  project: z.string(),
  about: z.string(),
  why: z.string(),
  /** True where only a person can end the wait. */
  needs_you: z.boolean(),
  /** The command that answers it. */
  command: z.string().nullable(),
  /** Only where it is a question that the list of escalations has, too. */
  question: z.literal(true).optional(),
  /** What the command does, for a page that does the same with a button. */
  act: z
    .discriminatedUnion("kind", [
      z.object({ kind: z.literal("approve-entry"), entry: z.number() }),
      z.object({ kind: z.literal("resume-queue") }),
      z.object({ kind: z.literal("vault"), item: z.string() }),
      z.object({ kind: z.literal("retry"), ref: z.string() }),
    ])
    .optional(),
});

export type WaitView = z.infer<typeof waitSchema>;

export const projectSchema = z.object({
  name: z.string(),
  root: z.string(),
  target: z.string().nullable(),
  parallel: z.number().nullable(),
  paused: z.string().nullable(),
  config_problem: z.string().nullable(),
  /** Of the text of the pawl.toml in force; null where that is not known. */
  config_hash: z.string().nullable().optional(),
  /** Where work goes, whose issues are taken, which agent works, which budget it has. */
  terms: z.array(z.string()).optional(),
  /** Whether branches and landings are pushed to a remote. */
  is_pushed: z.boolean().optional(),
  backlog: z.object({ ready: z.number(), waiting: z.number(), blocked: z.number() }),
  /** How far git is with what takes its time, a line each. */
  progress: z.array(z.string()).optional(),
  /** What this UTC day cost, how much of that is an estimate, and how much landed, at most 50. */
  today: z
    .object({
      usd: z.number(),
      estimated_usd: z.number().optional(),
      tokens: z.number(),
      landed: z.number(),
    })
    .optional(),
  /** Why no open issue is worked on, where none asks for it. */
  no_work: z.string().nullable().optional(),
  /** How changes on its forge are noticed, where it has one and a daemon looks. */
  forge: z
    .object({
      kind: z.string(),
      source: z.enum(["webhook", "polling"]),
      heard_at: z.string().nullable(),
      /** When it was last looked at, by this daemon. */
      looked_at: z.string().nullable().optional(),
      trouble: z.string().nullable(),
    })
    .nullable()
    .optional(),
});

export const statusSchema = z.object({
  version: z.string(),
  home: z.string(),
  daemon: z
    .object({
      pid: z.number(),
      since: z.string(),
      version: z.string(),
      build: z.string().optional(),
      foreground: z.literal(true).optional(),
    })
    .nullable(),
  projects: z.array(projectSchema),
  runs: z.array(runSchema),
  queue: z.array(
    z.looseObject({ project: z.string(), branch: z.string(), status: z.string(), id: z.number() }),
  ),
  waits: z.array(waitSchema),
  landed: z.array(z.object({ project: z.string(), branch: z.string(), at: z.string() })),
  /** Other projects in which something waits for a person, where only one is shown. */
  elsewhere: z.array(z.object({ project: z.string(), needs_you: z.number() })).optional(),
  /** Which wait of a run ends next by itself, and how. */
  next: z.object({ project: z.string(), what: z.string(), at: z.string() }).nullable().optional(),
  /** True where nothing is left to do without a person or new work. */
  idle: z.boolean(),
});

export type StatusView = z.infer<typeof statusSchema>;
