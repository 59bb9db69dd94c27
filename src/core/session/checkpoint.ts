// What saving a workspace can say.
import type { Commit } from "../ids.ts";

export type CheckpointOutcome =
  | {
      kind: "saved";
      commit: Commit;
      /** Paths that could not be read or were too large. */ skipped: string[];
      /** What the work consists of, committed or not; not in events of an earlier version. */
      files?: string[];
    }
  /** The same content is saved already. */
  | { kind: "unchanged"; commit: Commit; skipped: string[] }
  /** There is no workspace to save. */
  | { kind: "absent" };
