// The words of the merge queue: an entry, how it lands, what landing can say.
import type { Commit } from "../ids.ts";

export type MergeStrategy = "rebase" | "merge" | "squash";

export type LandingOutcome =
  | { kind: "landed"; commit: Commit }
  /** Someone else moved the target: plan again from there. */
  | { kind: "target-moved"; target: Commit }
  /** The user's checkout has edits where the landing would write. Nothing was moved. */
  | { kind: "held"; paths: string[]; why: string }
  /** Upstream refused for a reason that trying again does not change (protection, permission). */
  | { kind: "rejected"; why: string; hint: string };
