// What saving a workspace can say.
import type { Commit } from "../ids.ts";

export type CheckpointOutcome =
  | {
      kind: "saved";
      commit: Commit;
      /** Paths that could not be read or were too large. */ skipped: string[];
    }
  /** The same content is saved already. */
  | { kind: "unchanged"; commit: Commit; skipped: string[] }
  /** There is no workspace to save. */
  | { kind: "absent" };
