// Facts about a project's merge queue: its entries, the target, candidates and landings.
import type { CheckOutcome, ServerWord } from "../check.ts";
import type { Commit, ProjectName } from "../ids.ts";
import type { LandingOutcome } from "./entry.ts";
import type {
  BranchPlace,
  BuildConflict,
  ConflictFact,
  NewEntry,
  QueuePolicy,
  Resolution,
} from "./queue.ts";

export type QueueEvent =
  | { kind: "queue-opened"; at: number; project: ProjectName }
  | { kind: "entry-requested"; at: number; entry: NewEntry }
  | { kind: "entry-withdrawn"; at: number; branch: string; why: string }
  /** A person takes an entry out. */
  | { kind: "entry-removed"; at: number; entry: number; by: string }
  /** An operator allows this head to change the gates or the policy. */
  | { kind: "entry-approved"; at: number; entry: number; head: Commit; by: string }
  /** The target as it was seen, the rules at its tip, and every pair that conflicts, target included. */
  | {
      kind: "conflicts-observed";
      at: number;
      ref: string;
      target: Commit;
      policy: QueuePolicy;
      conflicts: ConflictFact[];
    }
  /**
   * The project asks whether its gate passes on the bare target. `look`: the target or its rules may
   * have changed; `fresh`: the gate runs again, even if a result is remembered.
   */
  | { kind: "proof-wanted"; at: number; look?: true; fresh?: true }
  /** The target was seen there: it may have been moved. */
  | { kind: "target-observed"; at: number; target: Commit }
  | {
      kind: "candidate-built";
      at: number;
      ref: string;
      /** The tip after each head, in order. */
      tips: Commit[];
      /** Heads that added nothing; `landed`: their work is in what is below, not just absent. */
      empty: { index: number; landed: boolean }[];
      /** Heads that change pawl.toml. */
      changesPolicy: number[];
      /** What each of those changes of it, in the same order; not in events of an earlier version. */
      protectedPaths?: string[][];
      /** Heads whose conflicts a program resolved. */
      resolved?: ({ index: number } & Resolution)[];
    }
  | ({ kind: "candidate-conflicted"; at: number; ref: string } & BuildConflict)
  | { kind: "candidate-checked"; at: number; ref: string; outcome: CheckOutcome }
  | { kind: "target-checked"; at: number; ref: string; target: Commit; outcome: CheckOutcome }
  | { kind: "target-looked"; at: number; ref: string; target: Commit; word: ServerWord }
  | { kind: "landing-finished"; at: number; ref: string; outcome: LandingOutcome }
  /** The branch of an entry that landed was removed from there. */
  | { kind: "branch-deleted"; at: number; branch: string; head: Commit; from: BranchPlace }
  | { kind: "queue-paused"; at: number; by: string; why: string }
  | { kind: "queue-resumed"; at: number; by: string }
  /** What was postponed because of the user's checkout may be tried again. */
  | { kind: "daemon-started"; at: number };
