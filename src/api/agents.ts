// The registry of identities as people and scripts see it: the fields of seed 002 under their own
// names, plus epoch and liveness.
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
  hook_path: z.string(),
  created_at: z.string(),
  last_seen: z.string(),
  status: z.enum(["active", "crashed", "terminated", "handed_off"]),
  predecessor_id: z.string().nullable(),
  epoch: z.number(),
  run: z.string().nullable(),
  liveness: z.enum(["green", "yellow", "red"]),
  stage: z.string(),
  phase: z.string().nullable(),
});

export type AgentView = z.infer<typeof agentSchema>;
