// Rounds of the standing roles as they are shown: the evidence for what they decided.
import { z } from "zod";

export const roleRoundSchema = z.object({
  at: z.string(),
  project: z.string(),
  role: z.string(),
  /** The run of the formula, and which time it was where it repeats. */
  formula: z.string(),
  cycle: z.number(),
  /** `P3 #1 and #2 have titles that mean the same` */
  found: z.array(z.string()),
  /** The agent's answer, as it wrote it. */
  answer: z.string(),
  /** What was going to be done, with what would undo it. */
  planned: z.array(z.string()),
  done: z.array(z.string()),
  /** What was left out, and why. */
  left: z.array(z.string()),
});

export type RoleRoundView = z.infer<typeof roleRoundSchema>;
