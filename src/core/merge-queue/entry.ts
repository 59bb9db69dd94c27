// The words of the merge queue: an entry, how it lands, what landing can say.
import type { Commit } from "../ids.ts";

export type MergeStrategy = "rebase" | "merge" | "squash";

export type LandingOutcome =
  /**
   * `by`: upstream refuses the push, and the forge merged the PR; then the commit may be one of its
   * own making. `untested`: what is on the target is not what was tested, and why.
   */
  | { kind: "landed"; commit: Commit; by?: "forge"; untested?: string }
  /** Upstream refuses the push, and the forge merges PRs one at a time. Nothing was moved. */
  | { kind: "one-by-one"; why: string }
  /** The forge would merge it, but not yet: its own checks are not through. Nothing was moved. */
  | { kind: "waiting"; why: string }
  /**
   * Another writer pushed to its branch, so that its PR is not what was tested. Nothing was moved.
   */
  | { kind: "overtaken"; theirs: Commit; log: string }
  /** Someone else moved the target: plan again from there. */
  | { kind: "target-moved"; target: Commit }
  /** The user's checkout has edits where the landing would write. Nothing was moved. */
  | { kind: "held"; paths: string[]; why: string }
  /** Upstream refused for a reason that trying again does not change (protection, permission). */
  | { kind: "rejected"; why: string; hint: string };
