// Rounds of the standing roles as they are shown: the evidence for what they decided.
export type RoleRoundView = {
  at: string;
  project: string;
  role: string;
  /** The run of the formula, and which time it was where it repeats. */
  formula: string;
  cycle: number;
  /** `P3 #1 and #2 have titles that mean the same` */
  found: string[];
  /** The agent's answer, as it wrote it. */
  answer: string;
  /** What was going to be done, with what would undo it. */
  planned: string[];
  done: string[];
  /** What was left out, and why. */
  left: string[];
};
