// The registry of identities as people and scripts see it: the field names that scripts
// read, plus epoch and liveness.
import { z } from "zod";

export const agentSchema = z.object({
  role: z.string(),
  name: z.string(),
  identity: z.string(),
  project: z.string(),
  session_id: z.string(),
  pid: z.number().nullable(),
  tmux_session: z.string().nullable(),
  node_id: z.string().nullable(),
  bead_id: z.string().nullable(),
  worktree_path: z.string(),
  hook_path: z.string().nullable(),
  created_at: z.string(),
  last_seen: z.string(),
  /** The last sign of work: a living process is not a working one. */
  last_progress: z.string(),
  /** `starting`: Pawl is to start it; no process of it is known yet. */
  status: z.enum(["starting", "active", "crashed", "terminated", "handed_off"]),
  predecessor_id: z.string().nullable(),
  epoch: z.number(),
  run: z.string().nullable(),
  liveness: z.enum(["green", "yellow", "red"]),
  stage: z.string(),
  phase: z.string().nullable(),
  /** How this life ended. */
  verdict: z.string().nullable(),
  /** `ci`, `review`, `queue`, `human`, `decision`, `model`, `limit until …`, `held by …`. */
  waiting: z.string().nullable(),
  /** The account or runtime of its agent; not of the daemon's own row, nor of an older daemon. */
  agent: z.string().optional(),
  context: z
    .object({
      percent: z.number().nullable(),
      urgency: z.enum(["none", "low", "medium", "high"]),
      symptoms: z.array(z.string()),
    })
    .nullable(),
  /** Why no run owns it: `process-gone`, or `no-run`. */
  orphan: z.enum(["process-gone", "no-run"]).nullable(),
});

export type AgentView = z.infer<typeof agentSchema>;
